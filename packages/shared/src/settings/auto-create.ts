// May a first write make its index? `action.auto_create_index`: true, false, or names and patterns, each allowed (+) or not (-).
import { wildcardMatches } from './wildcard.ts';

/** Patterns in the order given; the first that matches decides, and what none matches is not allowed. */
export type AutoCreateRule = readonly { readonly allow: boolean; readonly pattern: string }[];

/** The rule in `text`, or undefined where it is none. */
export function readAutoCreateRule(text: string): AutoCreateRule | undefined {
  if (text === 'true') return [{ allow: true, pattern: '*' }];
  if (text === 'false') return [];
  const rule = text.split(',').map((part) => {
    const pattern = part.trim();
    const signed = pattern.startsWith('+') || pattern.startsWith('-');
    return { allow: !pattern.startsWith('-'), pattern: signed ? pattern.slice(1) : pattern };
  });
  const isGood =
    rule.length <= 100 && rule.every(({ pattern }) => /^[^\s"\\<|>/?#:+-][^\s"\\<|>/?#:]*$/.test(pattern));
  return isGood ? rule : undefined;
}

/** Why `name` must not be made, in OpenSearch's words; undefined when it may. */
export function autoCreateRefusal(rule: AutoCreateRule, name: string): string | undefined {
  if (rule.length === 0) return '[action.auto_create_index] is [false]';
  const match = rule.find(({ pattern }) => wildcardMatches(pattern, name));
  if (match?.allow === true) return undefined;
  if (match !== undefined)
    return `[action.auto_create_index] contains [-${match.pattern}] which forbids automatic creation of the index`;
  return `[action.auto_create_index] ([${formatRule(rule)}]) doesn't match`;
}

function formatRule(rule: AutoCreateRule): string {
  return rule.map(({ allow, pattern }) => `${allow ? '+' : '-'}${pattern}`).join(',');
}
