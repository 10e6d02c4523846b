// When a change of settings has reached processes, as their own metrics tell it.
import { eventually } from './eventually.ts';
import { httpCalls } from './http-calls.ts';
import { metricSum } from './prometheus.ts';
import type { RunningCluster } from './running-cluster.ts';

/** Version of the settings that a process has applied. */
export async function settingsVersion(cluster: RunningCluster, name: string): Promise<number> {
  const { text } = await httpCalls(cluster.service(name).origin).ask('/metrics');
  return metricSum(text, 'weir_settings_version');
}

/** Resolves with the milliseconds until all of them had at least this version. */
export async function untilApplied(
  cluster: RunningCluster,
  names: readonly string[],
  version: number,
): Promise<number> {
  const waits = names.map((name) =>
    eventually(async () => (await settingsVersion(cluster, name)) >= version, 5_000),
  );
  return Math.max(...(await Promise.all(waits)));
}
