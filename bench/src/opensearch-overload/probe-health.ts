// How long an operator waits for the cluster's health while a load runs, asked five times a second on the way the load takes.
import { systemClock, systemTimers } from '@weir/shared';
import { Pool } from 'undici';
import type { Spread } from '../overload/load-kinds.ts';
import { spread } from '../overload/outcomes.ts';

const PERIOD_MS = 200;
const TICK_MS = 5;

/** Times count from when a request is due; one that is not answered when `stop` is called counts with what it waited. */
export function probeHealth(origin: string): { stop(): Promise<Spread> } {
  const pool = new Pool(origin, { connections: null, headersTimeout: 0, bodyTimeout: 0 });
  const waiting = new Set<number>();
  const tookMs: number[] = [];
  const ask = async (dueMs: number): Promise<void> => {
    waiting.add(dueMs);
    try {
      const answer = await pool.request({ path: '/_cluster/health', method: 'GET' });
      await answer.body.dump();
    } catch {
      // It waited in vain, which is what counts.
    }
    if (waiting.delete(dueMs)) tookMs.push(systemClock.nowMs() - dueMs);
  };
  let dueMs = systemClock.nowMs();
  const cancel = systemTimers.every(TICK_MS, () => {
    for (; dueMs <= systemClock.nowMs(); dueMs += PERIOD_MS) void ask(dueMs);
  });
  return {
    async stop() {
      cancel();
      const nowMs = systemClock.nowMs();
      tookMs.push(...[...waiting].map((due) => nowMs - due));
      waiting.clear();
      await pool.destroy();
      return spread(tookMs);
    },
  };
}
