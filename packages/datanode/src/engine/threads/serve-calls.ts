// The thread's end: runs each call as it comes and answers it; a call that waits lets others pass.
import type { MessagePort } from 'node:worker_threads';
import { storageError } from '../store/storage-error.ts';
import {
  type AnswerMessage,
  type CallMessage,
  type Calls,
  type Handlers,
  toErrorMessage,
} from './call-types.ts';

/** Answers calls on `port` until it is told to end, then runs `close`. */
export function serveCalls<C extends Calls>(
  port: MessagePort,
  handlers: Handlers<C>,
  close: () => void,
): void {
  port.on('message', (message: CallMessage<C> | null) => {
    if (message !== null) return void answer(port, message, handlers);
    close();
    port.close();
  });
}

async function answer<C extends Calls>(
  port: MessagePort,
  { number, name, body }: CallMessage<C>,
  handlers: Handlers<C>,
): Promise<void> {
  port.postMessage([await outcome(number, () => handlers[name](body))]);
}

/** Runs a call; whatever it throws becomes its answer. */
async function outcome(number: number, run: () => unknown): Promise<AnswerMessage> {
  try {
    return { number, ok: true, body: await run() };
  } catch (thrown) {
    return { number, ok: false, error: toErrorMessage(storageError(thrown)) };
  }
}
