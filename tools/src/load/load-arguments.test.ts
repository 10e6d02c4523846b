import { describe, expect, it } from '@jest/globals';
import { parseLoadArguments } from './load-arguments.ts';
import { progressLine, summary } from './show-progress.ts';

const parse = (...argv: string[]) => parseLoadArguments(argv, 'http://127.0.0.1:9200');

describe('the command line of the loader', () => {
  it('has defaults for all but source and index', () => {
    expect(parse('cities', '--index', 'places')).toEqual({
      kind: 'load',
      load: {
        source: 'cities',
        index: 'places',
        rate: undefined,
        concurrency: 4,
        bulk: 500,
        url: 'http://127.0.0.1:9200',
      },
    });
    expect(parse('a.ndjson', '--index', 'a', '--rate', '1000', '--url', 'http://h:1/')).toMatchObject({
      load: { rate: 1000, url: 'http://h:1' },
    });
  });

  it('names every mistake at once', () => {
    expect(parse('--bulk', '0', '--url', 'ftp://x')).toMatchObject({
      kind: 'wrong',
      problems: [
        'exactly one file or data set has to be named',
        '--index is missing',
        '--url is "ftp://x", allowed: an http or https address',
        '--bulk is "0", allowed: a number from 1 to 100000',
      ],
    });
    expect(parse('cities', '--index', 'a', '--speed', '1').kind).toBe('wrong');
    expect(parse('--help').kind).toBe('help');
  });
});

describe('what the loader shows', () => {
  const progress = { sent: 50, accepted: 40, refused: 1_200, failed: 0, retries: 3, firstFailure: undefined };

  it('is how far it is, how fast, and what was refused', () => {
    expect(progressLine({ progress, total: 80, elapsedMs: 2_000 })).toBe(
      '[============            ] 50%  40/80 docs  20 docs/s  refused 1,200  retries 3',
    );
    expect(progressLine({ progress, total: undefined, elapsedMs: 0 })).toBe(
      '40 docs  0 docs/s  refused 1,200  retries 3',
    );
  });

  it('ends with a summary that names the first failure', () => {
    const failed = { ...progress, failed: 1, firstFailure: 'c: 400' };
    expect(summary({ progress: failed, total: 80, elapsedMs: 2_000 })).toBe(
      '40 documents accepted in 2.0 s, 20 docs/s\n1,200 refusals, 3 retries, 1 documents failed\nfirst failure: c: 400\n',
    );
  });
});
