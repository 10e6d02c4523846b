// The query_string query: words, phrases, AND, OR, NOT, +, -, brackets, field:word and word*, made the same forms as other queries.
import { analyze, analyzePrefix } from './analyze.ts';
import { matchText } from './parse-leaf-query.ts';
import { ALL, ANYWHERE, bool, type Field, fieldNamed, type Query, valuesQuery } from './query.ts';
import { allowOnly, asObject, asOperator, asStrings, shown } from './query-parameters.ts';
import { type Lexeme, lexQueryString, unreadable } from './query-string-lexer.ts';

const PARAMETERS = ['query', 'default_field', 'fields', 'default_operator', 'analyze_wildcard', 'lenient'];
const MAX_DEPTH = 20;

type Occur = 'must' | 'should' | 'mustNot';
type Clause = { readonly occur: Occur; readonly query: Query };

export function parseQueryString(body: unknown): Query {
  const parameters = asObject(body, 'query_string');
  allowOnly(parameters, 'query_string', PARAMETERS);
  const { query: text, default_field: one, fields: many } = parameters;
  if (typeof text !== 'string') throw unreadable(shown(text), '[query_string] needs a text in [query]');
  const named = many === undefined ? [one ?? '*'].map(String) : asStrings(many, 'query_string', 'fields');
  const fields = named.includes('*') ? [undefined] : named;
  return new QueryStringParser(
    text,
    fields,
    asOperator(parameters['default_operator'], 'query_string'),
  ).parse();
}

/** Recursive descent over the pieces; words without a field are looked for in `fields`. */
class QueryStringParser {
  readonly #text: string;
  readonly #lexemes: readonly Lexeme[];
  readonly #operator: 'and' | 'or';
  #fields: readonly (string | undefined)[];
  #at = 0;
  #depth = 0;

  constructor(text: string, fields: readonly (string | undefined)[], operator: 'and' | 'or') {
    this.#text = text;
    this.#lexemes = lexQueryString(text);
    this.#fields = fields;
    this.#operator = operator;
  }

  parse(): Query {
    if (this.#lexemes.length === 0) return { kind: 'none' };
    const query = this.#either();
    if (this.#peek() !== undefined) throw unreadable(this.#text, 'a bracket is closed that was not opened');
    return query;
  }

  /** Alternatives: joined by OR, or by nothing when that means OR. */
  #either(): Query {
    const clauses: Clause[] = [this.#both()];
    while (this.#continues('or')) clauses.push(this.#both());
    return joined(clauses);
  }

  /** Requirements: joined by AND, or by nothing when that means AND. */
  #both(): Clause {
    const first = this.#signed();
    if (!this.#continues('and')) return first;
    const clauses = [first];
    do clauses.push(this.#signed());
    while (this.#continues('and'));
    const required = clauses.map(
      ({ occur, query }): Clause => ({ occur: occur === 'should' ? 'must' : occur, query }),
    );
    return { occur: 'should', query: joined(required) };
  }

  #continues(operator: 'and' | 'or'): boolean {
    const kind = this.#peek()?.kind;
    if (kind === operator) {
      this.#at++;
      return true;
    }
    const ends = kind === undefined || kind === 'close' || kind === 'and' || kind === 'or';
    return !ends && this.#operator === operator;
  }

  #signed(): Clause {
    const kind = this.#peek()?.kind;
    if (kind !== 'plus' && kind !== 'not') return { occur: 'should', query: this.#primary() };
    this.#at++;
    if (kind === 'plus') return { occur: 'must', query: this.#primary() };
    // NOT NOT a: each turns the one after it round.
    const inner = this.#nested(() => this.#signed());
    return inner.occur === 'mustNot'
      ? { occur: 'must', query: inner.query }
      : { occur: 'mustNot', query: inner.query };
  }

  #primary(): Query {
    const lexeme = this.#lexemes[this.#at++];
    switch (lexeme?.kind) {
      case 'open':
        return this.#bracket();
      case 'field':
        return this.#within(lexeme.name);
      case 'word':
        return this.#inFields((name) => matchText(name, lexeme.text, this.#operator));
      case 'phrase':
        return this.#inFields((name) => phraseQuery(name, lexeme.text));
      case 'prefix':
        return this.#inFields((name) => prefixQuery(name, lexeme.text));
      default:
        throw unreadable(
          this.#text,
          `a word is missing ${lexeme === undefined ? 'at the end' : `before [${lexeme.kind}]`}`,
        );
    }
  }

  #bracket(): Query {
    const query = this.#nested(() => this.#either());
    if (this.#lexemes[this.#at++]?.kind !== 'close') throw unreadable(this.#text, 'a bracket is not closed');
    return query;
  }

  #within(name: string): Query {
    const outer = this.#fields;
    this.#fields = [name];
    const query = this.#nested(() => this.#primary());
    this.#fields = outer;
    return query;
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw unreadable(this.#text, `nested deeper than ${MAX_DEPTH}`);
    const result = parse();
    this.#depth--;
    return result;
  }

  #inFields(query: (name: string | undefined) => Query): Query {
    const queries = this.#fields.map(query);
    const [only] = queries;
    return only !== undefined && queries.length === 1 ? only : bool({ should: queries, minimum: 1 });
  }

  #peek(): Lexeme | undefined {
    return this.#lexemes[this.#at];
  }
}

/** Clauses as one query: nothing but exclusions means all the others. */
function joined(clauses: readonly Clause[]): Query {
  const [only] = clauses;
  if (only !== undefined && clauses.length === 1 && only.occur !== 'mustNot') return only.query;
  const of = (occur: Occur): readonly Query[] =>
    clauses.filter((clause) => clause.occur === occur).map(({ query }) => query);
  const must = of('must');
  const should = of('should');
  return bool({
    must,
    should,
    mustNot: of('mustNot'),
    minimum: must.length === 0 && should.length > 0 ? 1 : 0,
  });
}

function phraseQuery(name: string | undefined, text: string): Query {
  const field = fieldOf(name);
  if (field.exact) return valuesQuery(field, [text]);
  const words = analyze(text);
  return words.length === 0 ? { kind: 'none' } : { kind: 'phrase', field, words };
}

function prefixQuery(name: string | undefined, text: string): Query {
  const field = fieldOf(name);
  if (text === '') return field.path === undefined ? ALL : { kind: 'exists', field };
  if (field.exact) return { kind: 'prefix', field, prefix: text };
  const prefix = analyzePrefix(text);
  return prefix === undefined ? { kind: 'none' } : { kind: 'prefix', field, prefix };
}

function fieldOf(name: string | undefined): Field {
  return name === undefined ? ANYWHERE : fieldNamed(name);
}
