// The queries about one field or about ids: match_all, match, term, terms, ids.
import { WeirError } from '@weir/shared/errors';
import { analyze } from './analyze.ts';
import type { Scalar } from './json-values.ts';
import { ALL, ANYWHERE, fieldNamed, type Query, valuesQuery } from './query.ts';
import {
  allowOnly,
  asObject,
  asOperator,
  asScalar,
  asStrings,
  minimumOf,
  onlyField,
  type Parameters,
} from './query-parameters.ts';

/** OpenSearch's limit on the words of one query. */
const MAX_WORDS = 1_024;
/** OpenSearch's limit on the values of a terms query. */
const MAX_TERMS = 65_536;

export function parseMatchAll(body: unknown): Query {
  allowOnly(asObject(body, 'match_all'), 'match_all', []);
  return ALL;
}

export function parseIds(body: unknown): Query {
  const parameters = asObject(body, 'ids');
  allowOnly(parameters, 'ids', ['values']);
  return { kind: 'ids', ids: new Set(asStrings(parameters['values'], 'ids', 'values')) };
}

export function parseMatch(body: unknown): Query {
  const [name, given] = onlyField(body, 'match');
  const parameters: Parameters = isObject(given) ? given : { query: given };
  allowOnly(parameters, 'match', ['query', 'operator', 'minimum_should_match']);
  const text = String(asScalar(parameters['query'], 'match'));
  const operator = asOperator(parameters['operator'], 'match');
  return matchText(name, text, operator, parameters['minimum_should_match']);
}

/** The words of a text in a field, or in the whole document when `name` is undefined. */
export function matchText(
  name: string | undefined,
  text: string,
  operator: 'and' | 'or',
  minimum?: unknown,
): Query {
  if (name === '_id') return { kind: 'ids', ids: new Set([text]) };
  const field = name === undefined ? ANYWHERE : fieldNamed(name);
  if (field.exact) return valuesQuery(field, [text]);
  const words = [...new Set(analyze(text))];
  if (words.length === 0) return { kind: 'none' };
  if (words.length > MAX_WORDS)
    throw new WeirError('illegal_argument', `a query has [${words.length}] words, allowed: [${MAX_WORDS}]`);
  const least = minimumOf(minimum, words.length, 1);
  const all = operator === 'and';
  return { kind: 'words', field, text, words, minimum: all ? words.length : Math.max(1, least) };
}

export function parseTerm(body: unknown): Query {
  const [name, given] = onlyField(body, 'term');
  const parameters: Parameters = isObject(given) ? given : { value: given };
  allowOnly(parameters, 'term', ['value']);
  return matchValues(name, [asScalar(parameters['value'], 'term')]);
}

export function parseTerms(body: unknown): Query {
  const [name, given] = onlyField(body, 'terms');
  if (!Array.isArray(given))
    throw new WeirError('parsing', `[terms] query needs a list of values for [${name}]`);
  if (given.length > MAX_TERMS)
    throw new WeirError(
      'illegal_argument',
      `[terms] query has [${given.length}] values, allowed: [${MAX_TERMS}]`,
    );
  return matchValues(
    name,
    given.map((value) => asScalar(value, 'terms')),
  );
}

function matchValues(name: string, values: readonly Scalar[]): Query {
  if (name === '_id') return { kind: 'ids', ids: new Set(values.map(String)) };
  return valuesQuery(fieldNamed(name), values);
}

function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
