// Which nodes does a part of a path such as `_all`, `_local`, `dn1,dn2`, `dn*` or `data:true` name?
import { wildcardMatches } from '@weir/shared';

type SelectableNode = {
  readonly id: string;
  readonly name: string;
  /** This coordinator. */
  readonly isSelf: boolean;
};

type Test = (node: SelectableNode) => boolean;

/** OpenSearch's words. There is no elected manager here; the coordinator that answers stands for it. */
const WORDS: Readonly<Record<string, Test>> = {
  _all: () => true,
  _local: (node) => node.isSelf,
  _master: (node) => node.isSelf,
  _cluster_manager: (node) => node.isSelf,
  'data:true': (node) => !node.isSelf,
  'data:false': (node) => node.isSelf,
  'coordinating_only:true': (node) => node.isSelf,
  'coordinating_only:false': (node) => !node.isSelf,
};

/** A test of one node. */
export function nodeSelector(expression: string | undefined): Test {
  const parts = (expression ?? '_all').split(',').filter((part) => part !== '');
  const tests = parts.map((part): Test => {
    const word = Object.hasOwn(WORDS, part) ? WORDS[part] : undefined;
    return word ?? ((node) => wildcardMatches(part, node.id) || wildcardMatches(part, node.name));
  });
  return (node) => tests.some((test) => test(node));
}
