// The room on the disk of the data in the shape of `_nodes/stats`.
import type { DiskFigures } from '@weir/shared';

type Json = Readonly<Record<string, unknown>>;

export function fsReport(wallMs: number, dataPath: string, disk: DiskFigures): Json {
  const room = {
    total_in_bytes: disk.totalBytes,
    free_in_bytes: disk.freeBytes,
    available_in_bytes: disk.availableBytes,
  };
  return { timestamp: wallMs, total: room, data: [{ path: dataPath, ...room }] };
}
