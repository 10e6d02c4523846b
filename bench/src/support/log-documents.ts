// Documents of 1 KB as a service logs them.
import { seededRng } from '@weir/shared/testing';

/** Log lines whose words are as unevenly spread as those of a language. */
export function logDocuments(count: number): readonly Buffer[] {
  const rng = seededRng(7);
  const vocabulary = Array.from({ length: 20_000 }, () => Math.floor(rng.next() * 36 ** 6).toString(36));
  return Array.from({ length: count }, (_, at) => {
    const words: string[] = [];
    while (words.length < 116) words.push(vocabulary[Math.floor(rng.next() ** 3 * vocabulary.length)] ?? '');
    const fields = {
      at: '2026-01-01T10:00:00.000Z',
      level: 'info',
      host: `host-${at % 50}`,
      status: 200 + (at % 5),
    };
    const source = Buffer.from(JSON.stringify({ ...fields, took_ms: at / 7, message: words.join(' ') }));
    return Buffer.from(
      `${source
        .subarray(0, 1_022)
        .toString()
        .replace(/[\s"}]*$/, '')}"}`,
    );
  });
}
