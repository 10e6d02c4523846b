import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredTable, TableStorage } from '../bus/table-storage.ts';
import { BusMemory, ManualClock, seededRng, settle, type UnreliableBus } from '../testing/index.ts';
import type { FlatSettings } from './settings-layers.ts';
import { SettingsStore } from './settings-store.ts';

const CPU = 'weir.admission.cpu.primary.soft';
const ME = { author: 'me' };

let clock: ManualClock;
let memory: BusMemory;
let warned: string[];
beforeEach(() => {
  clock = new ManualClock();
  memory = new BusMemory(seededRng(1));
  warned = [];
});

type Process = { readonly store: SettingsStore; readonly bus: UnreliableBus };

async function start(
  more: { file?: FlatSettings; storage?: TableStorage; bus?: UnreliableBus } = {},
): Promise<Process> {
  const bus = more.bus ?? memory.bus();
  const log = { warn: (_fields: unknown, message: string) => warned.push(message) };
  const store = new SettingsStore({ ...more, bus, clock, timers: clock, rng: seededRng(3), log });
  const started = store.start();
  // Leftover transient settings are looked at twice, a while apart.
  await settle();
  clock.advance(2_000);
  await started;
  return { store, bus };
}

const soft = ({ store }: Process): number => store.current().admission.signals.cpu.limits.primary.soft;

function disk(): TableStorage & { kept: StoredTable | undefined } {
  return {
    kept: undefined,
    async load() {
      return this.kept;
    },
    async save(table) {
      this.kept = structuredClone(table);
    },
  };
}

describe('the settings store', () => {
  it('has defaults before anything is set, at version 0', async () => {
    const a = await start();
    expect([soft(a), a.store.current().version]).toEqual([90, 0]);
  });

  it('a change counts here at once and at every process through the message', async () => {
    const [a, b] = [await start(), await start()];
    const seen: number[] = [];
    b.store.onChange((settings) => seen.push(settings.admission.signals.cpu.limits.primary.soft));
    const result = await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    expect([result.version, soft(a), a.store.current().version]).toEqual([1, 80, 1]);
    await settle();
    expect([soft(b), b.store.current().version, seen]).toEqual([80, 1, [80]]);
  });

  it('a change whose message is lost counts everywhere within 2 s', async () => {
    const [a, b] = [await start(), await start()];
    b.bus.dropsMessages = true;
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    clock.advance(2_000);
    await settle();
    expect(soft(b)).toBe(80);
  });

  it('a refused change changes nothing, nowhere', async () => {
    const [a, b] = [await start(), await start()];
    await expect(a.store.change({ persistent: { [CPU]: 80, 'weir.nope': 1 } }, ME)).rejects.toThrow(
      'not recognized',
    );
    await settle();
    expect([soft(a), soft(b), a.store.document().version]).toEqual([90, 90, 0]);
  });

  it('C074: GET shows both blocks, what counts is transient, then persistent', async () => {
    const a = await start();
    await a.store.change({ transient: { [CPU]: 70 }, persistent: { [CPU]: 80 } }, ME);
    expect([soft(a), a.store.document()]).toMatchObject([
      70,
      { persistent: new Map([[CPU, '80']]), transient: new Map([[CPU, '70']]) },
    ]);
    await a.store.change({ transient: { [CPU]: null } }, ME);
    expect(soft(a)).toBe(80);
  });

  it('keeps a history with author, time, old and new value', async () => {
    const a = await start();
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    await a.store.change({ persistent: { [CPU]: 85 } }, { author: 'you' });
    expect(a.store.document().history).toEqual([
      {
        version: 1,
        at_wall_ms: clock.wallMs(),
        author: 'me',
        changes: [{ scope: 'persistent', key: CPU, from: null, to: '80' }],
      },
      {
        version: 2,
        at_wall_ms: clock.wallMs(),
        author: 'you',
        changes: [{ scope: 'persistent', key: CPU, from: '80', to: '85' }],
      },
    ]);
  });

  it('keeps the newest 100 changes of its history', async () => {
    const a = await start();
    for (let value = 0; value < 105; value += 1)
      await a.store.change({ persistent: { 'weir.admission.leave_margin': value % 50 } }, ME);
    const b = await start();
    expect(b.store.document().history.map(({ version }) => version)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 6),
    );
  });

  it('a change to what is set already makes no new version', async () => {
    const a = await start();
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    const again = await a.store.change({ persistent: { [CPU]: '80' } }, ME);
    expect([again.version, again.requested.persistent]).toEqual([1, new Map([[CPU, '80']])]);
  });

  it('if_version lets only the change of that version through', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    await expect(
      b.store.change({ persistent: { [CPU]: 70 } }, { ...ME, ifVersion: 0 }),
    ).rejects.toMatchObject({
      status: 409,
      message: 'settings version conflict, current version [1] is different than the one provided [0]',
    });
    b.bus.dropsMessages = true;
    await a.store.change({ persistent: { [CPU]: 81 } }, { ...ME, ifVersion: 1 });
    expect((await b.store.change({ persistent: { [CPU]: 82 } }, { ...ME, ifVersion: 2 })).version).toBe(3);
  });

  it('a dry run tells what would change and changes nothing', async () => {
    const a = await start();
    const result = await a.store.change({ persistent: { [CPU]: 80 } }, { ...ME, dryRun: true });
    expect(result).toMatchObject({ version: 0, changes: [{ key: CPU, from: null, to: '80' }] });
    expect([soft(a), a.store.document().version]).toEqual([90, 0]);
    await expect(a.store.change({ persistent: { [CPU]: 180 } }, { ...ME, dryRun: true })).rejects.toThrow(
      'too large',
    );
  });

  it('a change while the bus is down is refused as unavailable, and what counts stays', async () => {
    const a = await start();
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    a.bus.isDown = true;
    await expect(a.store.change({ persistent: { [CPU]: 70 } }, ME)).rejects.toMatchObject({ status: 503 });
    expect(soft(a)).toBe(80);
  });

  it('C080: persistent settings survive a restart of everything and win over the file; transient ones do not survive', async () => {
    const storage = disk();
    const file = new Map([[CPU, '90']]);
    const dataNode = await start({ storage, file });
    await dataNode.store.change({ persistent: { [CPU]: 70 }, transient: { [CPU]: 60 } }, ME);
    await dataNode.store.close();
    memory = new BusMemory(seededRng(2));
    const again = await start({ storage, file });
    expect([soft(again), again.store.document().version]).toEqual([70, 1]);
    const coordinator = await start();
    expect([soft(coordinator), coordinator.store.document().history]).toMatchObject([70, [{ author: 'me' }]]);
  });

  it('transient settings do not survive a restart of every process on a bus that lives on', async () => {
    const a = await start();
    await a.store.change({ persistent: { [CPU]: 80 }, transient: { [CPU]: 70 } }, ME);
    await a.store.close();
    const b = await start();
    expect([soft(b), b.store.document().transient.size]).toEqual([80, 0]);
    expect(b.store.document().history.at(-1)).toMatchObject({
      version: 2,
      author: 'restart of all processes',
      changes: [{ scope: 'transient', key: CPU, from: '70', to: null }],
    });
  });

  it('transient settings survive as long as one process that holds them runs', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.change({ transient: { [CPU]: 70 } }, ME);
    await settle();
    await a.store.close();
    const c = await start();
    await b.store.close();
    const d = await start();
    expect([soft(c), soft(d)]).toEqual([70, 70]);
  });

  it('I9: an emptied bus gets the settings back from the processes, transient ones too', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.change({ persistent: { [CPU]: 80 }, transient: { 'weir.admission.epoch': '30s' } }, ME);
    await settle();
    memory.lose();
    clock.advance(1_000);
    await settle();
    const c = await start();
    expect([soft(c), c.store.current().admission.epochMs, c.store.current().version]).toEqual([
      80, 30_000, 1,
    ]);
    expect((await b.store.change({ persistent: { [CPU]: 81 } }, ME)).version).toBe(2);
  });

  it('starts with the bus down on what its disk says, and follows once it is up', async () => {
    const storage = disk();
    const a = await start({ storage });
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    await a.store.close();
    const bus = memory.bus();
    bus.isDown = true;
    const b = await start({ storage, bus });
    expect(soft(b)).toBe(80);
    const c = await start();
    await c.store.change({ persistent: { [CPU]: 75 } }, ME);
    bus.isDown = false;
    clock.advance(1_000);
    await settle();
    expect(soft(b)).toBe(75);
  });

  it('C114: an entry that cannot be read is ignored and named; the others count', async () => {
    const a = await start();
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    await a.bus.compareAndSet('settings', [{ key: 'transient', expectedVersion: 1, value: 'not json' }]);
    clock.advance(1_000);
    await settle();
    expect([soft(a), warned]).toEqual([80, ['a settings entry cannot be read and is ignored']]);
    await a.store.change({ transient: { [CPU]: 70 } }, ME);
    expect(soft(a)).toBe(70);
  });

  it('a listener that fails keeps the new settings from none of the others', async () => {
    const a = await start();
    const seen: number[] = [];
    a.store.onChange(() => {
      throw new Error('inside');
    });
    const stop = a.store.onChange(({ version }) => seen.push(version));
    await a.store.change({ persistent: { [CPU]: 80 } }, ME);
    stop();
    await a.store.change({ persistent: { [CPU]: 81 } }, ME);
    expect([seen, warned]).toEqual([[1], ['new settings were not taken over']]);
  });

  it('C108: writers of the same moment all succeed, one after the other', async () => {
    const [a, b] = [await start(), await start()];
    const rounds = Array.from({ length: 8 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap((round) => [
        a.store.change({ persistent: { 'weir.admission.leave_margin': `${round}.1` } }, ME),
        b.store.change({ persistent: { 'weir.admission.leave_margin': `${round}.2` } }, ME),
      ]),
    );
    await settle();
    expect([a.store.current().version, b.store.current()]).toEqual([16, a.store.current()]);
  });
});
