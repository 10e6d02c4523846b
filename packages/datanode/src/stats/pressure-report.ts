// The bytes in flight as OpenSearch's `indexing_pressure` shows them.
import type { PressureReport } from '@weir/shared';

type Json = Readonly<Record<string, unknown>>;
type ByStage = PressureReport['currentBytes'];

export function indexingPressureReport({
  currentBytes,
  totalBytes,
  rejections,
  limits,
}: PressureReport): Json {
  return {
    memory: {
      current: bytesByStage(currentBytes),
      total: {
        ...bytesByStage(totalBytes),
        coordinating_rejections: rejections.coordinating,
        primary_rejections: rejections.primary,
        replica_rejections: rejections.replica,
      },
      limit_in_bytes: limits.primary,
    },
  };
}

function bytesByStage({ coordinating, primary, replica }: ByStage): Json {
  return {
    combined_coordinating_and_primary_in_bytes: coordinating + primary,
    coordinating_in_bytes: coordinating,
    primary_in_bytes: primary,
    replica_in_bytes: replica,
    all_in_bytes: coordinating + primary + replica,
  };
}
