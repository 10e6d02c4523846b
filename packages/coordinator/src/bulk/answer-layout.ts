// How the pieces of a bulk's answer look under `pretty` and `filter_path`; without them they go out as they are.
import type { Request } from 'express';
import { filterPaths } from '../http/filter-path.ts';

export type AnswerLayout = {
  /** The members of an object as JSON text, without its braces. */
  head(members: object): string;
  /** Items given as JSON texts with commas between, as they are to be shown; empty where nothing of them is. */
  items(texts: string): string;
};

const PLAIN: AnswerLayout = {
  head: (members) => JSON.stringify(members).slice(1, -1),
  items: (texts) => texts,
};

export function layoutOf({ query }: Pick<Request, 'query'>): AnswerLayout {
  const { filter_path: paths, pretty } = query;
  const expression = typeof paths === 'string' ? paths : '';
  const indent = pretty === undefined || pretty === 'false' ? 0 : 2;
  if (expression === '' && indent === 0) return PLAIN;
  const kept = (body: object): unknown => (expression === '' ? body : filterPaths(body, expression));
  const inside = (value: unknown): string => JSON.stringify(value, null, indent).slice(1, -1);
  return {
    head: (members) => inside(kept(members)),
    items(texts) {
      const { items = [] } = kept({ items: JSON.parse(`[${texts}]`) }) as { items?: readonly unknown[] };
      return inside(items);
    },
  };
}
