// The thread that writes: takes calls as they come and commits what has gathered each time it comes round.

import { parentPort } from 'node:worker_threads';
import { systemClock, systemYield } from '@weir/shared/clock';
import type { CallMessage } from './call-types.ts';
import { WriteQueue } from './write-queue.ts';
import type { WriterCalls } from './writer-calls.ts';

const queue = new WriteQueue(systemClock);
let scheduled = false;

function drain(): void {
  scheduled = false;
  const answers = queue.drain();
  if (answers.length > 0) parentPort?.postMessage(answers);
}

parentPort?.on('message', (message: CallMessage<WriterCalls> | null) => {
  if (message === null) {
    drain();
    queue.close();
    parentPort?.close();
    return;
  }
  queue.push(message);
  if (scheduled) return;
  scheduled = true;
  // After all messages that are already here.
  void systemYield().then(drain);
});
