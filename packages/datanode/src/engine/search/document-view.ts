// One stored document while a query looks at it: parsed at the first question, its words made once.
import { analyze } from './analyze.ts';
import { leafTexts, type Scalar, scalarsAt } from './json-values.ts';
import type { Field } from './query.ts';

const KEYWORD = '.keyword';

export class DocumentView {
  readonly id: string;
  readonly #source: Buffer;
  #document: unknown;
  readonly #scalars = new Map<string, readonly Scalar[]>();

  constructor(id: string, source: Buffer) {
    this.id = id;
    this.#source = source;
  }

  /** The values of a field; with `.keyword` those of the field before it too. */
  scalars({ path, exact }: Field): readonly Scalar[] {
    if (path === undefined) return leafTexts(this.#parsed());
    const known = this.#scalars.get(path);
    if (known !== undefined) return known;
    const own = scalarsAt(this.#parsed(), path);
    const found = exact ? [...own, ...scalarsAt(this.#parsed(), path.slice(0, -KEYWORD.length))] : own;
    this.#scalars.set(path, found);
    return found;
  }

  /** The words of each of a field's values. */
  words(field: Field): readonly (readonly string[])[] {
    return this.scalars(field).map((scalar) => analyze(String(scalar)));
  }

  #parsed(): unknown {
    this.#document ??= JSON.parse(this.#source.toString());
    return this.#document;
  }
}
