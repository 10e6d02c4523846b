// What `--help` says, made from the options.
import { formatTimeMs } from '../settings/units.ts';
import { factsOf, flagOf, type Options, variableOf } from './config-option.ts';

const WIDTH = 100;

/** The help of one service: usage, then every option with its names, what is allowed and its default. */
export function helpText(program: string, summary: string, options: Options): string {
  const rows = Object.values(options).flatMap((schema) => {
    const facts = factsOf(schema);
    const flag = flagOf(facts);
    const names = [
      flag === undefined ? undefined : `${flag} ${facts.valueName}`.trim(),
      variableOf(facts),
      facts.key,
    ];
    const fallback = schema.safeParse(undefined);
    const standard =
      fallback.success && fallback.data !== undefined
        ? ` Default: ${shown(facts.valueName, fallback.data)}.`
        : '';
    return [
      `  ${names.filter((name) => name !== undefined).join('   ')}`,
      ...wrap(`${facts.what} Allowed: ${facts.allowed}.${standard}`, '      '),
    ];
  });
  return [
    `weir ${program}: ${summary}`,
    '',
    'Each option can be given as a flag, as an environment variable or as a key of the configuration file;',
    'a flag wins over the environment, that over the file, that over the default.',
    '',
    '  --config <path>   WEIR_CONFIG',
    '      JSON file of options and of dynamic settings (weir.admission.… and the like), nested or dotted.',
    ...rows,
    '  --help',
    '  --version',
    '',
  ].join('\n');
}

function shown(valueName: string, value: unknown): string {
  return valueName === '<time>' ? formatTimeMs(Number(value)) : String(value);
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > WIDTH && line !== indent) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
