import { describe, expect, it } from '@jest/globals';
import { RECORDED_NODE, RECORDED_STATS } from '../testing/recorded-node-stats.ts';
import { nodeFigures } from './node-figures.ts';

const figuresOf = (change: object) => nodeFigures({ nodes: { id: { ...RECORDED_NODE, ...change } } });

function heapOf(old: object | undefined, used = 400, max = 1_000) {
  const pools = old === undefined ? {} : { old };
  return figuresOf({ jvm: { mem: { heap_used_in_bytes: used, heap_max_in_bytes: max, pools } } })
    ?.heapPercent;
}

describe('what a node tells of itself', () => {
  it('is read from the stats of a real one', () => {
    expect(nodeFigures(RECORDED_STATS)).toEqual({
      ...{ id: 'D5Pfrzj3QIa6dKdAU9G0EA', name: 'n1', cpuPercent: 100 },
      heapPercent: (16914944 / 536870912) * 100,
      heapMaxBytes: 536870912,
      ioBusy: { busyMs: 75588, readAtMs: 1796051013854 },
      writePool: { queue: 0, active: 0, completed: 3 },
      freeDiskBytes: 82405269504,
    });
  });

  it('has the heap after a collection where the JVM knows it, else what is old, else all of it', () => {
    expect(heapOf({ used_in_bytes: 300, last_gc_stats: { used_in_bytes: 200 } })).toBe(20);
    expect(heapOf({ used_in_bytes: 300, last_gc_stats: { used_in_bytes: 0 } })).toBe(30);
    expect(heapOf({ used_in_bytes: 300 })).toBe(30);
    expect(heapOf(undefined)).toBe(40);
    expect(heapOf(undefined, 400, 0)).toBeUndefined();
  });

  it('is unknown where it does not tell, never 0', () => {
    expect(figuresOf({ os: { timestamp: 1, cpu: { percent: -1 } } })?.cpuPercent).toBeUndefined();
    expect(nodeFigures({ nodes: { id: { name: 'n' } } })).toEqual({ id: 'id', name: 'n' });
  });

  it.each([
    [undefined],
    ['text'],
    [{}],
    [{ nodes: {} }],
    [{ nodes: { id: {} } }],
    [{ nodes: { id: { name: 'n', os: { cpu: 'full' } } } }],
  ])('is nothing in %j', (answer) => {
    expect(nodeFigures(answer)).toBeUndefined();
  });
});
