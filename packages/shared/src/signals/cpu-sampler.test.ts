import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelTree } from '../testing/kernel-tree.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { CpuSampler } from './cpu-sampler.ts';
import { FieldWarnings } from './field-warnings.ts';
import { NO_WINDOW, type Sample } from './sampler.ts';

const HALF_IDLE = { busy: 50, idle: 50 };

let tree: KernelTree;
let warned: string[];
let open: CpuSampler[];

beforeEach(() => {
  tree = new KernelTree();
  warned = [];
  open = [];
});

afterEach(() => {
  for (const sampler of open) sampler.close();
  tree.remove();
});

function opened(): CpuSampler {
  const warnings = new FieldWarnings((_, { field }) => warned.push(String(field)), new ManualClock());
  const sampler = CpuSampler.open(tree.root, warnings);
  if (sampler === undefined) throw new Error('no /proc/stat');
  open.push(sampler);
  return sampler;
}

/** The second of two samples 1 s apart, with `change` in between. */
function oneSecond(change: () => void): Sample {
  const sampler = opened();
  expect(sampler.sample(0)).toBe(NO_WINDOW);
  change();
  return sampler.sample(1_000);
}

describe('the cpu sampler on a host', () => {
  it('tells how busy the cores were, waiting for io not counted', () => {
    tree.write('proc/stat', 'cpu  0\ncpu0 100 0 100 800 0 0 0 0 0 0\nintr 1\n');
    const busy = oneSecond(() =>
      tree.write('proc/stat', 'cpu  0\ncpu0 120 5 110 850 10 2 3 0 0 0\nintr 1\n'),
    );
    expect(busy).toBe(40);
  });

  it('counts stolen time as busy and guests once', () => {
    tree.write('proc/stat', 'cpu  0\ncpu0 100 0 0 0 0 0 0 0 0 0\nintr 1\n');
    const busy = oneSecond(() => tree.write('proc/stat', 'cpu  0\ncpu0 130 0 0 50 0 0 0 20 30 0\nintr 1\n'));
    expect(busy).toBe(50);
  });

  it('looks only at the cores the process may run on', () => {
    tree.cores(HALF_IDLE, HALF_IDLE, HALF_IDLE, HALF_IDLE);
    tree.write('proc/self/status', 'Name:\tnode\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2-2\n');
    const busy = oneSecond(() =>
      tree.cores({ busy: 110, idle: 90 }, { busy: 150, idle: 50 }, { busy: 80, idle: 120 }, HALF_IDLE),
    );
    expect(busy).toBeCloseTo(45);
  });

  it('is not to be had without /proc/stat, or where that holds no core', () => {
    const warnings = new FieldWarnings(() => {}, new ManualClock());
    expect(CpuSampler.open(tree.root, warnings)).toBeUndefined();
    tree.write('proc/stat', 'btime 1\n');
    expect(CpuSampler.open(tree.root, warnings)).toBeUndefined();
  });

  it('C092: is unavailable, not NaN, when the file turns into something else', () => {
    tree.cores(HALF_IDLE);
    expect(oneSecond(() => tree.write('proc/stat', 'cpu  x\ncpu0 x y z\nintr 1\n'))).toBeUndefined();
    tree.cores(HALF_IDLE);
    expect(oneSecond(() => tree.write('proc/stat', ''))).toBeUndefined();
  });
});

describe('the cpu sampler under a quota', () => {
  it('C084: reads 50 % from microseconds of version 2', () => {
    tree.cores(HALF_IDLE, HALF_IDLE).cgroup2({ 'cpu.max': '100000 100000\n', 'cpu.stat': stat2(7_000_000) });
    const busy = oneSecond(() => tree.write('sys/fs/cgroup/cpu.stat', stat2(7_500_000)));
    expect(busy).toBe(50);
  });

  it('C084: reads 50 % from nanoseconds of version 1', () => {
    tree.cores(HALF_IDLE, HALF_IDLE).cgroup1({
      'cpu,cpuacct/cpu.cfs_quota_us': '100000\n',
      'cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      'cpu,cpuacct/cpuacct.usage': '7000000000\n',
    });
    const busy = oneSecond(() => tree.write('sys/fs/cgroup/cpu,cpuacct/cpuacct.usage', '7500000000\n'));
    expect(busy).toBe(50);
  });

  it('C098: 3 cores used of a quota of 4 are 75 % of the allowed cores', () => {
    tree.cores(...Array.from({ length: 8 }, () => HALF_IDLE));
    tree.cgroup2({ 'cpu.max': '400000 100000\n', 'cpu.stat': stat2(0) });
    expect(oneSecond(() => tree.write('sys/fs/cgroup/cpu.stat', stat2(3_000_000)))).toBe(75);
  });

  it('C098: a quota beyond the cores there are counts as those cores', () => {
    tree.cores(HALF_IDLE, HALF_IDLE);
    tree.cgroup2({ 'cpu.max': '400000 100000\n', 'cpu.stat': stat2(0) });
    expect(oneSecond(() => tree.write('sys/fs/cgroup/cpu.stat', stat2(1_000_000)))).toBe(50);
  });

  it('C086: believes the cgroup when the host says 100 % and nobody waits for a core, and says so', () => {
    tree.cores(HALF_IDLE).pressure('proc/pressure/cpu', { someMs: 500, fullMs: 0 });
    tree.cgroup2({ 'cpu.max': '100000 100000\n', 'cpu.stat': stat2(0) });
    const busy = oneSecond(() => {
      tree.cores({ busy: 150, idle: 50 }).pressure('proc/pressure/cpu', { someMs: 510, fullMs: 0 });
      tree.write('sys/fs/cgroup/cpu.stat', stat2(350_000));
    });
    expect(busy).toBe(35);
    expect(warned).toEqual(['cpu.self_check']);
  });

  it('C086: believes the cgroup where the kernel does not tell who waits', () => {
    tree.cores(HALF_IDLE).cgroup2({ 'cpu.max': '100000 100000\n', 'cpu.stat': stat2(0) });
    const busy = oneSecond(() => {
      tree.cores({ busy: 150, idle: 50 }).write('sys/fs/cgroup/cpu.stat', stat2(350_000));
    });
    expect(busy).toBe(35);
  });

  it('takes the host where neighbours keep its cores busy and tasks wait', () => {
    tree.cores(HALF_IDLE).pressure('proc/pressure/cpu', { someMs: 0, fullMs: 0 });
    tree.cgroup2({ 'cpu.max': '100000 100000\n', 'cpu.stat': stat2(0) });
    const busy = oneSecond(() => {
      tree.cores({ busy: 150, idle: 50 }).pressure('proc/pressure/cpu', { someMs: 600, fullMs: 0 });
      tree.write('sys/fs/cgroup/cpu.stat', stat2(350_000));
    });
    expect(busy).toBe(100);
    expect(warned).toEqual([]);
  });

  it('takes the fullest of the groups around the process', () => {
    tree.cores(...Array.from({ length: 8 }, () => HALF_IDLE));
    tree
      .write('proc/self/cgroup', '0::/pods/one\n')
      .write('proc/self/mountinfo', '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n');
    const group = 'sys/fs/cgroup/pods';
    tree.write(`${group}/cpu.max`, '200000 100000\n').write(`${group}/cpu.stat`, stat2(0));
    tree.write(`${group}/one/cpu.max`, '100000 100000\n').write(`${group}/one/cpu.stat`, stat2(0));
    const busy = oneSecond(() => {
      tree.write(`${group}/cpu.stat`, stat2(1_800_000)).write(`${group}/one/cpu.stat`, stat2(200_000));
    });
    expect(busy).toBe(90);
  });

  it('takes the host where no group has a quota', () => {
    tree.cores(HALF_IDLE).cgroup2({ 'cpu.max': 'max 100000\n', 'cpu.stat': stat2(0) });
    expect(oneSecond(() => tree.cores({ busy: 70, idle: 130 }))).toBe(20);
  });

  it('begins a new window when the quota changes', () => {
    tree.cores(...Array.from({ length: 8 }, () => HALF_IDLE));
    tree.cgroup2({ 'cpu.max': '100000 100000\n', 'cpu.stat': stat2(0) });
    const sampler = opened();
    sampler.sample(0);
    tree.write('sys/fs/cgroup/cpu.max', '400000 100000\n').write('sys/fs/cgroup/cpu.stat', stat2(900_000));
    expect(sampler.sample(1_000)).toBe(NO_WINDOW);
    tree.write('sys/fs/cgroup/cpu.stat', stat2(2_900_000));
    expect(sampler.sample(2_000)).toBe(50);
  });
});

function stat2(usageUs: number): string {
  return `usage_usec ${usageUs}\nuser_usec 1\nsystem_usec 2\nnr_periods 0\n`;
}
