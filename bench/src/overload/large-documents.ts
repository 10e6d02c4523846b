// The documents of the overload benchmark: 128 KB each, as a job that keeps its own log would store itself.

export const LARGE_DOCUMENTS = 100;
const DOCUMENT_BYTES = 128 * 1024;

/** One document as JSON: a counter that updates change, and lines of nested fields and numbers that they do not. */
export function largeDocument(): string {
  const lines: string[] = [];
  let bytes = 0;
  for (let number = 0; bytes < DOCUMENT_BYTES; number += 1) {
    const line = JSON.stringify({
      at: '2026-01-01T10:00:00.000Z',
      level: 'info',
      host: `host-${number % 50}`,
      status: 200 + (number % 5),
      took_ms: number / 7,
      message: `request ${number} served from origin by a worker of pool ${number % 9}`,
    });
    bytes += line.length + 1;
    lines.push(line);
  }
  return `{"counter":0,"lines":[${lines.join(',')}]}`;
}
