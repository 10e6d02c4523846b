import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Operation } from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { COPY, operation, temporaryDirectory } from '../../testing/copy-fixtures.ts';
import { packOperations } from './pack-operations.ts';
import { WriteQueue } from './write-queue.ts';

let temporary: ReturnType<typeof temporaryDirectory>;
let queue: WriteQueue;
let number = 0;
beforeEach(() => {
  temporary = temporaryDirectory();
  queue = new WriteQueue(new ManualClock());
  number = 0;
});
afterEach(() => {
  queue.close();
  temporary.remove();
});

function open(key: string, mustExist = false): void {
  const file = join(temporary.path, `${key}.db`);
  queue.push({ number: ++number, name: 'open', body: { key, copy: COPY, file, mustExist, primaryTerm: 1 } });
}
function write(key: string, ...operations: readonly Operation[]): void {
  const body = { key, primaryTerm: 1, operations: packOperations(operations) };
  queue.push({ number: ++number, name: 'primary', body });
}
function close(key: string): void {
  queue.push({ number: ++number, name: 'close', body: { key } });
}

/** Number of each answer with how many writes the copy had seen, or the message of its error; one list for each step. */
function steps(): unknown[][] {
  const made: unknown[][] = [];
  while (!queue.isEmpty)
    made.push(
      queue
        .step()
        .map((answer) => [
          answer.number,
          answer.ok ? (answer.body as { changes?: number } | null)?.changes : answer.error.message,
        ]),
    );
  return made;
}

describe('WriteQueue', () => {
  it('answers all writes to a copy that wait together after their one commit', () => {
    open('a');
    open('b');
    write('a', operation('index', '1'));
    write('b', operation('index', '1'));
    write('a', operation('index', '2'), operation('index', '3'));
    expect(steps()).toEqual([
      [[1, 0]],
      [[2, 0]],
      [
        [3, 3],
        [5, 3],
      ],
      [[4, 1]],
    ]);
    expect(queue.step()).toEqual([]);
  });

  it('takes no more into a transaction than a tenth of a second, so that its first write does not wait for all the others', () => {
    let nowMs = 0;
    // Each look at the clock is 30 ms after the one before.
    queue = new WriteQueue({ nowMs: () => (nowMs += 30), wallMs: () => 0 });
    open('a');
    open('b');
    for (let at = 0; at < 6; at++) write('a', operation('index', `${at}`));
    write('b', operation('index', '1'));
    expect(steps().map((step) => step.map((answer) => (answer as unknown[])[0]))).toEqual([
      [1],
      [2],
      [3, 4, 5, 6],
      [7, 8],
      [9],
    ]);
  });

  it('keeps writes before a close and after an open where they belong', () => {
    open('a');
    write('a', operation('index', '1'));
    close('a');
    write('a', operation('index', '2'));
    open('a');
    write('a', operation('index', '3'));
    expect(steps().flat()).toEqual([
      [1, 0],
      [2, 1],
      [3, undefined],
      [4, 'shard copy [a] is not open'],
      [5, 1],
      [6, 2],
    ]);
  });

  it('opens a copy once, and says when a file that must be there is not', () => {
    open('a');
    open('a');
    open('lost', true);
    const [first, second, lost] = steps().flat();
    expect([first, second]).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(lost).toEqual([3, expect.stringContaining('unable to open database file')]);
  });
});
