// By what are hits sorted? The forms OpenSearch accepts, made one, so that coordinator and data nodes order alike.
import { WeirError } from '@weir/shared';
import { z } from 'zod';

export type SortKey = {
  readonly field: string;
  readonly order: 'asc' | 'desc';
  /** Where hits without the field go. */
  readonly missing: '_last' | '_first';
};

export type SortValue = string | number | null;

const orderSchema = z.enum(['asc', 'desc']);
const optionsSchema = z.strictObject({
  order: orderSchema.optional(),
  missing: z.enum(['_last', '_first']).optional(),
  unmapped_type: z.string().optional(),
});
const keySchema = z.union([z.string(), z.record(z.string(), z.union([orderSchema, optionsSchema]))]);
const sortSchema = z.union([keySchema.transform((key) => [key]), z.array(keySchema)]);

/** Keys of a body's `sort`: a name, an object, or a list of these. */
export function sortKeysOf(value: unknown): readonly SortKey[] {
  if (value === undefined) return [];
  const parsed = sortSchema.safeParse(value);
  if (!parsed.success)
    throw new WeirError(
      'parsing',
      `Failed to parse [sort]: ${JSON.stringify(value).slice(0, 200)}, allowed: names, or objects such as {"field":{"order":"asc"|"desc","missing":"_last"|"_first"}}`,
    );
  return parsed.data.flatMap((key) =>
    typeof key === 'string'
      ? [sortKey(key, undefined, undefined)]
      : Object.entries(key).map(([field, given]) =>
          typeof given === 'string'
            ? sortKey(field, given, undefined)
            : sortKey(field, given.order, given.missing),
        ),
  );
}

/** Keys of the query string's `sort`: `field,other:desc`. */
export function sortKeysFromText(text: string): readonly SortKey[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.lastIndexOf(':');
      if (at < 0) return sortKey(part, undefined, undefined);
      const order = orderSchema.safeParse(part.slice(at + 1));
      if (order.success) return sortKey(part.slice(0, at), order.data, undefined);
      throw new WeirError(
        'illegal_argument',
        `Failed to parse value [${part}] of parameter [sort], allowed after the colon: [asc, desc]`,
      );
    });
}

/** What goes to the data nodes. */
export function toWireSort(keys: readonly SortKey[]): unknown {
  return keys.map(({ field, order, missing }) => ({ [field]: { order, missing } }));
}

/** Compares the sort values of two hits. */
export function compareSortValues(
  keys: readonly SortKey[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [at, key] of keys.entries()) {
    const order = compareByKey(key, a[at] ?? null, b[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareByKey({ order, missing }: SortKey, a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === (missing === '_first') ? -1 : 1;
  const sign = order === 'asc' ? 1 : -1;
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) * sign;
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign;
  return (typeof a === 'number' ? -1 : 1) * sign;
}

function sortKey(
  field: string,
  order: SortKey['order'] | undefined,
  missing: SortKey['missing'] | undefined,
): SortKey {
  return { field, order: order ?? (field === '_score' ? 'desc' : 'asc'), missing: missing ?? '_last' };
}
