// The command line of `npm run load`, with one error that names every mistake.
import { parseArgs } from 'node:util';

export type LoadArguments = {
  /** A data set's name, or the path of a file with one JSON document a line. */
  readonly source: string;
  readonly index: string;
  /** Documents per second at most; undefined: as fast as it goes. */
  readonly rate: number | undefined;
  /** Bulks in flight at once. */
  readonly concurrency: number;
  /** Documents per bulk. */
  readonly bulk: number;
  readonly url: string;
};

export const USAGE = `Usage: npm run load -- <file.ndjson|cities|wordnet> --index <name> [options]

Indexes every document of a file (one JSON object a line) or of a data set through _bulk. Document ids are made of the file's name and the
line, so loading twice changes nothing. What is refused is sent again after the time the server asks for, and only that.

  --index <name>       index to write to
  --bulk <n>           documents per bulk, 1 to 100000 (500)
  --concurrency <n>    bulks in flight at once, 1 to 256 (4)
  --rate <n>           documents per second at most (no limit)
  --url <url>          coordinator (http://127.0.0.1:9200)
`;

/** What to do, or what is wrong with the command line. */
export type ParsedArguments =
  | { readonly kind: 'load'; readonly load: LoadArguments }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Given = { readonly values: Values; readonly positionals: readonly string[] };

export function parseLoadArguments(argv: readonly string[], defaultUrl: string): ParsedArguments {
  let given: Given;
  try {
    given = readFlags(argv);
  } catch (error) {
    return { kind: 'wrong', problems: [error instanceof Error ? error.message : String(error)] };
  }
  if (given.values['help'] === true) return { kind: 'help' };
  const problems: string[] = [];
  const load = checked(given, defaultUrl, problems);
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'load', load };
}

function readFlags(argv: readonly string[]): Given {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      index: { type: 'string' },
      bulk: { type: 'string' },
      concurrency: { type: 'string' },
      rate: { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function checked({ values, positionals }: Given, defaultUrl: string, problems: string[]): LoadArguments {
  const number = (name: string, absent: number, max: number): number => {
    const text = values[name];
    const value = text === undefined ? absent : Number(text);
    if (Number.isFinite(value) && value >= 1 && value <= max) return value;
    problems.push(`--${name} is ${JSON.stringify(text)}, allowed: a number from 1 to ${max}`);
    return absent;
  };
  const text = (name: string, absent: string): string => {
    const value = values[name];
    return typeof value === 'string' ? value : absent;
  };
  const url = text('url', defaultUrl);
  const index = text('index', '');
  if (positionals.length !== 1) problems.push('exactly one file or data set has to be named');
  if (index === '') problems.push('--index is missing');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    problems.push(`--url is ${JSON.stringify(url)}, allowed: an http or https address`);
  return {
    source: positionals[0] ?? '',
    index,
    rate: values['rate'] === undefined ? undefined : number('rate', 1, 1e9),
    concurrency: Math.floor(number('concurrency', 4, 256)),
    bulk: Math.floor(number('bulk', 500, 100_000)),
    url: url.replace(/\/+$/, ''),
  };
}
