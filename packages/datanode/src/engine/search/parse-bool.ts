// The bool query: which clauses must, may and must not match.

import { bool, type Query } from './query.ts';
import { allowOnly, asObject, minimumOf } from './query-parameters.ts';

const PARAMETERS = ['must', 'should', 'filter', 'must_not', 'minimum_should_match'];

/** `parse` reads each clause. */
export function parseBool(body: unknown, parse: (clause: unknown) => Query): Query {
  const parameters = asObject(body, 'bool');
  allowOnly(parameters, 'bool', PARAMETERS);
  const clauses = (name: string): readonly Query[] => listOf(parameters[name]).map(parse);
  const must = clauses('must');
  const filter = clauses('filter');
  const should = clauses('should');
  const mustNot = clauses('must_not');
  // Without anything that must match, one of the optional clauses has to.
  const otherwise = must.length + filter.length === 0 && should.length > 0 ? 1 : 0;
  const minimum = minimumOf(parameters['minimum_should_match'], should.length, otherwise);
  return bool({ must, should, filter, mustNot, minimum });
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
