// How long may OpenSearch take for a request that is passed through? Longer than its client allows it, never for ever.
import { readTimeMs } from '@weir/shared';

/** Every parameter by which a client says how long OpenSearch may wait; each waits for something else, one after the other. */
const WAITS = [
  'timeout',
  'wait_for_timeout',
  'wait_for_completion_timeout',
  'cluster_manager_timeout',
  'master_timeout',
];
/** Answered when the work is done unless told otherwise, however long it takes. */
const LONG_WORK = /\/(?:_forcemerge|_reindex|_update_by_query|_delete_by_query)(?:$|\?)/;
const LONG_WORK_MS = 24 * 3_600_000;

/** For the path and query of a request; `baseMs` is for all that OpenSearch does beside waiting. */
export function passThroughTimeoutMs(target: string, baseMs: number): number {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  if (waitsForCompletion(target, query)) return LONG_WORK_MS;
  const waitsMs = WAITS.map((name) => waitMs(query.get(name)));
  return Math.min(LONG_WORK_MS, baseMs + waitsMs.reduce((sum, wait) => sum + wait, 0));
}

function waitsForCompletion(target: string, query: URLSearchParams): boolean {
  const wanted = query.get('wait_for_completion');
  return wanted === null ? LONG_WORK.test(target) : wanted !== 'false';
}

/** -1 waits without end; what cannot be read is OpenSearch's to complain of. */
function waitMs(text: string | null): number {
  if (text === null) return 0;
  if (text === '-1') return LONG_WORK_MS;
  const reading = readTimeMs(text);
  return 'value' in reading ? reading.value : 0;
}
