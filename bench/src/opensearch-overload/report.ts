// The rows of the overload benchmark before OpenSearch: as a table, and as fields of JSON.
import { earlyShare } from '../overload/rows.ts';
import { rounded, type TableRow } from '../support/figures.ts';
import type { Watching } from './run-load.ts';

/** One control at both rates. */
export type Row = {
  /** Of its field in the JSON. */
  readonly name: string;
  readonly label: string;
  /** What its cluster did without it, before and after: it goes on warming for as long as a run takes. */
  readonly capacitiesPerS: readonly [number, number];
  readonly at: readonly { readonly factor: number; readonly measured: Watching }[];
};

/** Of the cluster of a row, at its time. */
export function capacityOf({ capacitiesPerS: [before, after] }: Row): number {
  return rounded((before + after) / 2, 1);
}

export function tableRows(row: Row): readonly TableRow[] {
  const { label, at, capacitiesPerS } = row;
  const capacityPerS = capacityOf(row);
  return at.map(({ factor, measured }) => {
    const { offered, acceptedMs, healthMs, nodes, cpuShares, cpuShare } = measured;
    const percent = (count: number): string => `${rounded((100 * count) / Math.max(1, offered), 1)} %`;
    return {
      control: label,
      load: `${factor} ×`,
      'goodput/s': measured.goodputPerS,
      'of capacity': `${rounded((100 * measured.goodputPerS) / capacityPerS)} % of ${capacitiesPerS.join(' to ')}`,
      'accepted p50/p99 ms': hasAccepted(measured)
        ? `${rounded(acceptedMs.p50)} / ${rounded(acceptedMs.p99)}`
        : 'none accepted',
      'first refusal ms': measured.firstRefusalMs ?? 'none',
      refused: percent(measured.refused),
      'of those early': measured.refused === 0 ? '' : `${rounded(100 * earlyShare(measured))} %`,
      'too late': percent(measured.late + measured.unanswered),
      failed: measured.failed,
      'node CPU % median/max': `${nodes.cpuPercent.median} / ${nodes.cpuPercent.max}`,
      'write queue median/max': `${nodes.writeQueue.median} / ${nodes.writeQueue.max}`,
      'health p50/p99/max ms': `${healthMs.p50} / ${healthMs.p99} / ${healthMs.max}`,
      'sent late p99 ms': measured.latenessMs.p99,
      'cores used': [...Object.entries(cpuShares), ['load', rounded(cpuShare, 2)] as const]
        .map(([process, share]) => `${process} ${share}`)
        .join(', '),
    };
  });
}

/** The highest rate is the row itself; the others stand beside it, by their factor. */
export function fieldsOf(row: Row): Readonly<Record<string, unknown>> {
  const { label, at, capacitiesPerS } = row;
  const [highest, ...others] = [...at].sort((one, other) => other.factor - one.factor);
  return {
    label,
    capacity: capacityOf(row),
    capacity_before_and_after: capacitiesPerS,
    ...(highest === undefined ? {} : figuresOf(highest.measured)),
    ...Object.fromEntries(others.map(({ factor, measured }) => [`at_${factor}`, figuresOf(measured)])),
  };
}

function figuresOf(measured: Watching): Readonly<Record<string, unknown>> {
  const { acceptedMs, healthMs, nodes } = measured;
  return {
    goodput: measured.goodputPerS,
    p50_ms: hasAccepted(measured) ? acceptedMs.p50 : null,
    p99_ms: hasAccepted(measured) ? acceptedMs.p99 : null,
    first_refusal_ms: measured.firstRefusalMs,
    ...{ offered: measured.offered, in_time: measured.inTime, late: measured.late },
    ...{ unanswered: measured.unanswered, refused: measured.refused, failed: measured.failed },
    refused_by: measured.refusedBy,
    early_share: earlyShare(measured),
    node_cpu_percent: nodes.cpuPercent,
    node_cpu_percent_30_s: nodes.averageCpuPercent,
    write_queue: nodes.writeQueue,
    health_ms: healthMs,
    cores: { ...measured.cpuShares, load: measured.cpuShare },
    load_lateness_p99_ms: measured.latenessMs.p99,
  };
}

function hasAccepted({ inTime, late, unanswered }: Watching): boolean {
  return inTime + late + unanswered > 0;
}
