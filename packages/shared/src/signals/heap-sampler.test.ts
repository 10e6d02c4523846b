import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StressStates } from '../admission/stress-states.ts';
import { DEFAULT_SETTINGS, withSignal } from '../testing/default-settings.ts';
import { KernelTree } from '../testing/kernel-tree.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { FieldWarnings } from './field-warnings.ts';
import { HeapSampler } from './heap-sampler.ts';
import type { HeapSource } from './heap-source.ts';
import { SignalTrackers } from './signal-trackers.ts';

const MIB = 2 ** 20;

/** A heap that holds what the test says, with a limit of 100 MiB. */
class FakeHeap implements HeapSource {
  usedMib = 0;
  #collected: () => void = () => {};
  observed = false;

  oldBytes(): number {
    return this.usedMib * MIB;
  }

  sizeLimitBytes(): number {
    return 100 * MIB;
  }

  onMajorCollection(listener: () => void): () => void {
    this.#collected = listener;
    this.observed = true;
    return () => {
      this.observed = false;
    };
  }

  collect(leftMib: number): void {
    this.usedMib = leftMib;
    this.#collected();
  }
}

const FLAGS = ['--max-old-space-size=100'];
let tree: KernelTree;
let warned: unknown[];

beforeEach(() => {
  tree = new KernelTree();
  warned = [];
});

afterEach(() => tree.remove());

function samplerOf(source: HeapSource, flags = FLAGS): HeapSampler {
  const warnings = new FieldWarnings((_, fields) => warned.push(fields), new ManualClock());
  return new HeapSampler({ root: tree.root, warnings, source, flags });
}

/** The largest share of requests a limit of 85 would refuse at this heap over 60 s. */
function worstStress(heap: FakeHeap, live: (nowMs: number) => void): number {
  const limit = { soft: 85, hard: 92 };
  const settings = withSignal(DEFAULT_SETTINGS, 'heap', { limits: { primary: limit } });
  const sampler = samplerOf(heap);
  const trackers = new SignalTrackers();
  const states = new StressStates();
  let worst = 0;
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 500) {
    live(nowMs);
    trackers.observe('heap', sampler.sample(), nowMs);
    states.observe(trackers.readings(nowMs), nowMs, settings);
    worst = Math.max(worst, states.stressOf('primary', undefined, nowMs, settings).stress);
  }
  return worst;
}

describe('the heap sampler', () => {
  it('C048: refuses nothing for a heap that climbs from 40 to 92 % and falls back every 4 s', () => {
    const heap = new FakeHeap();
    const worst = worstStress(heap, (nowMs) => {
      if (nowMs > 0 && nowMs % 4_000 === 0) heap.collect(40);
      else heap.usedMib = 40 + (52 * (nowMs % 4_000)) / 4_000;
    });
    expect(worst).toBe(0);
  });

  it('C048: refuses for a heap that stays at 92 % after its collections', () => {
    const heap = new FakeHeap();
    expect(worstStress(heap, () => heap.collect(92))).toBeGreaterThan(0.95);
  });

  it('tells what is used now before the first major collection, and what the last one left after it', () => {
    const heap = new FakeHeap();
    const sampler = samplerOf(heap);
    heap.usedMib = 30;
    expect(sampler.sample()).toBe(30);
    heap.collect(20);
    heap.usedMib = 70;
    expect(sampler.sample()).toBe(20);
  });

  it('C089: takes the smaller of the limits of V8 and of the container, and warns at the start', () => {
    tree.cgroup2({ 'memory.max': '268435456\n' });
    const heap = new FakeHeap();
    heap.sizeLimitBytes = () => 274_726_912;
    heap.usedMib = 128;
    expect(samplerOf(heap, []).sample()).toBe(50);
    expect(warned).toEqual([
      { field: 'heap.limit', heap_size_limit_bytes: 274_726_912, container_limit_bytes: 268_435_456 },
    ]);
  });

  it('C089: counts in the container’s memory where that ends first, of either version', () => {
    const heap = new FakeHeap();
    heap.usedMib = 40;
    tree.cgroup1({ 'memory/memory.limit_in_bytes': `${80 * MIB}\n` });
    expect(samplerOf(heap).sample()).toBe(50);
    tree.cgroup2({ 'memory.max': `${50 * MIB}\n` });
    expect(samplerOf(heap).sample()).toBe(80);
  });

  it.each([
    ['version 1', () => tree.cgroup1({ 'memory/memory.limit_in_bytes': '9223372036854771712\n' })],
    ['version 2', () => tree.cgroup2({ 'memory.max': 'max\n' })],
  ])('knows the absence of a limit in %s, and does not warn', (_, arrange) => {
    arrange();
    const heap = new FakeHeap();
    heap.usedMib = 40;
    expect(samplerOf(heap).sample()).toBe(40);
    expect(warned).toEqual([]);
  });

  it('gives its observer back', () => {
    const heap = new FakeHeap();
    const sampler = samplerOf(heap);
    expect(heap.observed).toBe(true);
    sampler.close();
    expect(heap.observed).toBe(false);
  });
});
