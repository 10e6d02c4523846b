// Does a document match, and what does it score beside what the text index gives its words? The one definition of every query's meaning.
import type { DocumentView } from './document-view.ts';
import { isInRange } from './parse-range.ts';
import type { BoolQuery, Field, Query, ValuesQuery, WordsQuery } from './query.ts';

/** A clause that matches without words of its own counts 1, as in OpenSearch. */
const CONSTANT_SCORE = 1;

/** The constant part of the score, 0 where the text index knows it; undefined when the document does not match. */
export function evaluate(query: Query, document: DocumentView): number | undefined {
  switch (query.kind) {
    case 'all':
      return CONSTANT_SCORE;
    case 'none':
      return undefined;
    case 'ids':
      return constantIf(query.ids.has(document.id));
    case 'words':
      return zeroIf(hasWords(query, document));
    case 'phrase':
      return zeroIf(document.words(query.field).some((words) => hasPhrase(words, query.words)));
    case 'prefix':
      return constantIf(hasPrefix(query.field, query.prefix, document));
    case 'values':
      return zeroIf(hasValue(query, document));
    case 'exists':
      return constantIf(document.scalars(query.field).length > 0);
    case 'range':
      return constantIf(document.scalars(query.field).some((scalar) => isInRange(scalar, query)));
    case 'bool':
      return evaluateBool(query, document);
  }
}

function evaluateBool(query: BoolQuery, document: DocumentView): number | undefined {
  if (query.filter.some((clause) => evaluate(clause, document) === undefined)) return undefined;
  if (query.mustNot.some((clause) => evaluate(clause, document) !== undefined)) return undefined;
  let score = query.must.length + query.should.length + query.filter.length === 0 ? CONSTANT_SCORE : 0;
  for (const clause of query.must) {
    const part = evaluate(clause, document);
    if (part === undefined) return undefined;
    score += part;
  }
  let matched = 0;
  for (const clause of query.should) {
    const part = evaluate(clause, document);
    if (part === undefined) continue;
    matched++;
    score += part;
  }
  return matched >= query.minimum ? score : undefined;
}

function constantIf(matches: boolean): number | undefined {
  return matches ? CONSTANT_SCORE : undefined;
}

function zeroIf(matches: boolean): number | undefined {
  return matches ? 0 : undefined;
}

function hasWords({ field, text, words, minimum }: WordsQuery, document: DocumentView): boolean {
  const scalars = document.scalars(field);
  const inField = field.path !== undefined;
  const number = inField && text.trim() !== '' ? Number(text) : Number.NaN;
  if (scalars.some((scalar) => scalar === number)) return true;
  // In a field a number is a number: 5 is not found in -5 or in 5.1.
  const texts = document.words(field).filter((_, at) => !(inField && typeof scalars[at] === 'number'));
  const present = new Set(texts.flat());
  return words.filter((word) => present.has(word)).length >= minimum;
}

function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((word, at) => words[start + at] === word));
}

function hasPrefix(field: Field, prefix: string, document: DocumentView): boolean {
  const texts = field.exact ? document.scalars(field).map(String) : document.words(field).flat();
  return texts.some((text) => text.startsWith(prefix));
}

function hasValue({ field, texts, numbers }: ValuesQuery, document: DocumentView): boolean {
  const asItStands = document
    .scalars(field)
    .some((scalar) => (typeof scalar === 'number' ? numbers.has(scalar) : texts.has(String(scalar))));
  return (
    asItStands ||
    (!field.exact &&
      document
        .words(field)
        .flat()
        .some((word) => texts.has(word)))
  );
}
