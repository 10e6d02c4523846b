// Understands `wait_for_nodes` of the health request: `3`, `>=1`, `<5`, `ge(1)` and so on.
import { WeirError } from '@weir/shared';

type Compare = (actual: number, wanted: number) => boolean;

const COMPARISONS: Readonly<Record<string, Compare>> = {
  '': (actual, wanted) => actual === wanted,
  '>=': (actual, wanted) => actual >= wanted,
  '<=': (actual, wanted) => actual <= wanted,
  '>': (actual, wanted) => actual > wanted,
  '<': (actual, wanted) => actual < wanted,
};
const WORDS: Readonly<Record<string, string>> = { ge: '>=', le: '<=', gt: '>', lt: '<' };

/** A test of the number of nodes. */
export function nodesCondition(expression: string): (nodes: number) => boolean {
  const word = /^(ge|le|gt|lt)\((\d{1,6})\)$/.exec(expression);
  const sign = /^(>=|<=|>|<|)(\d{1,6})$/.exec(expression);
  const compare = COMPARISONS[word === null ? (sign?.[1] ?? '?') : (WORDS[word[1] ?? ''] ?? '?')];
  const wanted = Number(word?.[2] ?? sign?.[2]);
  if (compare === undefined)
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${expression}] of parameter [wait_for_nodes], allowed: a number, also with >=, <=, >, < before it`,
    );
  return (nodes) => compare(nodes, wanted);
}
