// Goes through a long list in slices, letting the event loop run between them.
import type { YieldToLoop } from '@weir/shared';

/** About a millisecond of parsing, routing or writing out items. */
export const SLICE_ITEMS = 1_000;

/** Calls `visit` for every item in order; what it throws ends the walk. */
export async function inSlices<T>(
  items: readonly T[],
  yieldToLoop: YieldToLoop,
  visit: (item: T, position: number) => void,
): Promise<void> {
  for (let position = 0; position < items.length; position += 1) {
    if (position > 0 && position % SLICE_ITEMS === 0) await yieldToLoop();
    const item = items[position];
    if (item !== undefined) visit(item, position);
  }
}
