// Settings bodies nested and dotted: both mean the same, so both become flat, and flat ones can be shown nested.
import { WeirError } from '../ops/errors.ts';
import { shorten } from './settings-layers.ts';

/** A change of one setting: its new text, or null to take it away. */
export type SettingText = string | null;

const MAX_DEPTH = 20;
const MAX_KEYS = 1_000;

/**
 * Flattens an object of settings; `scope` names it in errors. Lists are refused, or kept as JSON text where they have a meaning. Cheap to
 * refuse: it stops at the first fault.
 */
export function flattenSettings(
  scope: string,
  body: unknown,
  lists: 'refused' | 'kept' = 'refused',
): ReadonlyMap<string, SettingText> {
  if (!isObject(body))
    throw new WeirError(
      'illegal_argument',
      `[${scope}] must be an object of settings, got [${describe(body)}]`,
    );
  const target: Target = { flat: new Map(), scope, lists };
  flattenInto(target, '', body, 1);
  return target.flat;
}

type Target = {
  readonly flat: Map<string, SettingText>;
  readonly scope: string;
  readonly lists: 'refused' | 'kept';
};

function flattenInto(
  target: Target,
  prefix: string,
  body: Readonly<Record<string, unknown>>,
  depth: number,
): void {
  if (depth > MAX_DEPTH)
    throw new WeirError(
      'illegal_argument',
      `settings in [${target.scope}] must not be nested deeper than ${MAX_DEPTH} levels, at [${shorten(prefix)}]`,
    );
  for (const [name, value] of Object.entries(body)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isObject(value)) flattenInto(target, key, value, depth + 1);
    else addLeaf(target, key, value);
  }
}

function addLeaf({ flat, scope, lists }: Target, key: string, value: unknown): void {
  if (flat.has(key))
    throw new WeirError(
      'illegal_argument',
      `setting [${shorten(key)}] is given more than once in [${scope}]`,
    );
  if (flat.size >= MAX_KEYS)
    throw new WeirError('illegal_argument', `[${scope}] holds more than ${MAX_KEYS} settings`);
  if (Array.isArray(value) && lists === 'refused')
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${describe(value)}] for setting [${shorten(key)}]: lists are not allowed`,
    );
  if (Array.isArray(value)) flat.set(key, listText(key, value));
  else flat.set(key, value === null ? null : String(value));
}

/** Lists of settings hold plain values: what is deeper is refused before it is made into text. */
function listText(key: string, list: readonly unknown[]): string {
  if (list.every((item) => typeof item !== 'object')) return JSON.stringify(list);
  throw new WeirError('illegal_argument', `setting [${shorten(key)}] must be a list of plain values`);
}

/** A nested object; keys that are both a value and the beginning of others stay dotted below the deepest object there is. */
export function nestSettings(flat: Iterable<readonly [string, string]>): Readonly<Record<string, unknown>> {
  const root: Tree = new Map();
  for (const [key, text] of [...flat].sort(([a], [b]) => (a < b ? -1 : 1))) place(root, key.split('.'), text);
  return toObject(root);
}

type Tree = Map<string, string | Tree>;

function place(tree: Tree, path: readonly string[], text: string): void {
  const [head = '', ...rest] = path;
  const below = tree.get(head);
  if (rest.length === 0 || typeof below === 'string') {
    tree.set(path.join('.'), text);
    return;
  }
  const inner: Tree = below ?? new Map();
  tree.set(head, inner);
  place(inner, rest, text);
}

/** `Object.fromEntries` defines, it does not assign: a key `__proto__` is a key like any other. */
function toObject(tree: Tree): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...tree].map(([key, below]) => [key, typeof below === 'string' ? below : toObject(below)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (!Array.isArray(value)) return shorten(String(value));
  // An array of a million, or one nested as deep, costs no more than the first few.
  const [first, ...rest] = value.slice(0, 2);
  const shown = typeof first === 'object' ? '…' : shorten(String(first));
  return value.length === 0 ? '[]' : `[${shown}${rest.length > 0 ? ', …' : ''}]`;
}
