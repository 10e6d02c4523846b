// The thread that writes: takes calls as they come and commits what has gathered each time it comes round.

import { parentPort } from 'node:worker_threads';
import { systemClock, systemYield } from '@weir/shared/clock';
import type { CallMessage } from './call-types.ts';
import { WriteQueue } from './write-queue.ts';
import type { WriterCalls } from './writer-calls.ts';

const queue = new WriteQueue(systemClock);
let scheduled = false;

function step(): void {
  const answers = queue.step();
  if (answers.length > 0) parentPort?.postMessage(answers);
}

/** Between two steps come the messages that are already here. */
async function work(): Promise<void> {
  scheduled = true;
  while (!queue.isEmpty) {
    await systemYield();
    step();
  }
  scheduled = false;
}

parentPort?.on('message', (message: CallMessage<WriterCalls> | null) => {
  if (message === null) {
    while (!queue.isEmpty) step();
    queue.close();
    parentPort?.close();
    return;
  }
  queue.push(message);
  if (!scheduled) void work();
});
