import { beforeEach, describe, expect, it } from '@jest/globals';
import { delay } from '../ops/clock.ts';
import { BusMemory, ManualClock, seededRng, settle, type UnreliableBus } from '../testing/index.ts';
import type { Entry } from './bus.ts';
import { FollowedTable, type FollowOptions } from './follow-table.ts';
import type { StoredTable, TableStorage } from './table-storage.ts';

const POLL_MS = 1_000;

let clock: ManualClock;
let memory: BusMemory;
let changes: [string, Entry][];
let warned: string[];

beforeEach(() => {
  clock = new ManualClock();
  memory = new BusMemory(seededRng(1));
  changes = [];
  warned = [];
});

function follow(bus: UnreliableBus, more: Partial<FollowOptions> = {}): FollowedTable {
  return new FollowedTable({
    bus,
    table: 't',
    channel: 'c',
    clock,
    timers: clock,
    log: { warn: (_fields, message) => warned.push(message) },
    onChange: () => undefined,
    ...more,
  });
}

const write = (key: string, expectedVersion: number, value: string | null) => [
  { key, expectedVersion, value },
];

/** A disk that keeps what it is given, as a restart finds it. */
function disk(): TableStorage & { kept: StoredTable | undefined; fails: boolean } {
  return {
    kept: undefined,
    fails: false,
    async load() {
      return this.kept;
    },
    async save(table) {
      if (this.fails) throw new Error('no space left on device');
      this.kept = table;
    },
  };
}

describe('a followed table', () => {
  it('has its own write at once, and the others have it through the message without reading', async () => {
    const [bus, otherBus] = [memory.bus(), memory.bus()];
    const table = follow(bus);
    const other = follow(otherBus, { onChange: (changed) => changes.push(...changed) });
    await table.start();
    await table.write(write('k', 0, 'one'));
    await other.start();
    await table.write(write('k', 1, 'two'));
    expect(table.get('k')).toEqual({ version: 2, value: 'two' });
    otherBus.isDown = false;
    await settle();
    expect(other.get('k')).toEqual({ version: 2, value: 'two' });
    expect(changes).toEqual([
      ['k', { version: 1, value: 'one' }],
      ['k', { version: 2, value: 'two' }],
    ]);
  });

  it('sees a change whose message was lost with the next poll', async () => {
    const [bus, deaf] = [memory.bus(), memory.bus()];
    const [table, other] = [follow(bus), follow(deaf)];
    await Promise.all([table.start(), other.start()]);
    deaf.dropsMessages = true;
    await table.write(write('k', 0, 'one'));
    await settle();
    expect(other.get('k')).toBeUndefined();
    clock.advance(POLL_MS);
    await settle();
    expect(other.get('k')?.value).toBe('one');
  });

  it('reads the table when a message shows that an earlier one was lost', async () => {
    const [bus, deaf] = [memory.bus(), memory.bus()];
    const [table, other] = [follow(bus), follow(deaf)];
    await Promise.all([table.start(), other.start()]);
    await table.write(write('a', 0, '1'));
    await settle();
    deaf.dropsMessages = true;
    await table.write(write('b', 0, '2'));
    deaf.dropsMessages = false;
    await table.write(write('c', 0, '3'));
    await settle();
    expect([...other.entries().keys()]).toEqual(['a', 'c', 'b']);
  });

  it('keeps what it knows while the bus is down, and catches up afterwards', async () => {
    const [bus, cut] = [memory.bus(), memory.bus()];
    const [table, other] = [follow(bus), follow(cut)];
    await Promise.all([table.start(), other.start()]);
    await table.write(write('k', 0, 'one'));
    await settle();
    cut.isDown = true;
    await table.write(write('k', 1, 'two'));
    clock.advance(5 * POLL_MS);
    await settle();
    expect(other.get('k')?.value).toBe('one');
    cut.isDown = false;
    clock.advance(POLL_MS);
    await settle();
    expect(other.get('k')?.value).toBe('two');
  });

  it('starts while the bus is down and is only late', async () => {
    const bus = memory.bus();
    bus.isDown = true;
    const table = follow(bus);
    await table.start();
    expect(table.isSynced()).toBe(false);
    await expect(table.write(write('k', 0, 'x'))).rejects.toMatchObject({ code: 'unavailable' });
    bus.isDown = false;
    clock.advance(POLL_MS);
    await settle();
    expect(table.isSynced()).toBe(true);
  });

  it('I9: gives a bus that lost its memory everything back, deletions too, and says so once', async () => {
    const [bus, otherBus] = [memory.bus(), memory.bus()];
    const [table, other] = [follow(bus), follow(otherBus)];
    await Promise.all([table.start(), other.start()]);
    await table.write(write('kept', 0, 'one'));
    await table.write(write('gone', 0, 'x'));
    await table.write(write('gone', 2, null));
    await settle();
    memory.lose();
    clock.advance(POLL_MS);
    await settle();
    const { entries } = await bus.readTable('t');
    expect(entries).toEqual(
      new Map([
        ['kept', { version: 1, value: 'one' }],
        ['gone', { version: 3, value: null }],
      ]),
    );
    expect(new Set(warned)).toEqual(new Set(['the bus had lost entries of a table and has them back']));
  });

  it('gives a bus that came up empty its entries back before it writes there itself', async () => {
    const bus = memory.bus();
    const storage = disk();
    storage.kept = { generation: 'old', entries: new Map([['k', { version: 7, value: 'seven' }]]) };
    const table = follow(bus, { storage });
    bus.isDown = true;
    await table.start();
    bus.isDown = false;
    expect(await table.write(write('k', 0, 'from the start'))).toMatchObject({
      done: false,
      current: new Map([['k', { version: 7, value: 'seven' }]]),
    });
  });

  it('a higher version wins over the one on disk, a lower one does not', async () => {
    const bus = memory.bus();
    await bus.restore('t', 'newer', { version: 9, value: 'bus' });
    await bus.restore('t', 'older', { version: 2, value: 'bus' });
    const storage = disk();
    const old = { version: 5, value: 'disk' };
    storage.kept = {
      generation: 'old',
      entries: new Map([
        ['newer', old],
        ['older', old],
      ]),
    };
    const table = follow(bus, { storage });
    await table.start();
    expect([table.get('newer')?.value, table.get('older')?.value]).toEqual(['bus', 'disk']);
    expect((await bus.readTable('t')).entries.get('older')).toEqual(old);
  });

  it('on equal versions the bus has the last word, so that all who read it agree', async () => {
    const bus = memory.bus();
    await bus.restore('t', 'k', { version: 3, value: 'bus' });
    const storage = disk();
    storage.kept = { generation: 'old', entries: new Map([['k', { version: 3, value: 'disk' }]]) };
    const table = follow(bus, { storage });
    await table.start();
    expect(table.get('k')?.value).toBe('bus');
  });

  it('does not bring back old deletions to a bus that forgot them by itself', async () => {
    const bus = memory.bus();
    const first = follow(bus);
    await first.start();
    await first.write(write('k', 0, 'x'));
    const { generation } = await bus.readRevision('t');
    const storage = disk();
    storage.kept = { generation, entries: new Map([['long gone', { version: 4, value: null }]]) };
    const table = follow(bus, { storage });
    await table.start();
    expect([table.get('long gone'), (await bus.readTable('t')).entries.has('long gone')]).toEqual([
      undefined,
      false,
    ]);
  });

  it('has a write on its disk when the write resolves, and only the entries that belong there', async () => {
    const storage = disk();
    const table = follow(memory.bus(), { storage, stored: (key) => key !== 'secret' });
    await table.start();
    await table.write([...write('k', 0, 'x'), ...write('secret', 0, 'y')]);
    expect([...(storage.kept?.entries.keys() ?? [])]).toEqual(['k']);
  });

  it('refuses to call a write done that is not on its disk, and saves it with the next change', async () => {
    const storage = disk();
    const table = follow(memory.bus(), { storage });
    await table.start();
    await table.whenSaved();
    storage.fails = true;
    await expect(table.write(write('k', 0, 'x'))).rejects.toThrow('no space left on device');
    storage.fails = false;
    await table.write(write('l', 0, 'y'));
    expect([...(storage.kept?.entries.keys() ?? [])]).toEqual(['k', 'l']);
    expect(warned).toContain('a table could not be kept on disk');
  });

  it('I6: whoever asks for a read waits for one that begins afterwards, and for no other, however many go on asking', async () => {
    const bus = memory.bus();
    const table = follow(bus);
    await table.start();
    const readNow = bus.readTable.bind(bus);
    bus.readTable = async (name) => {
      await delay(clock, 10);
      return readNow(name);
    };
    const seen: string[] = [];
    void table.sync().then(() => seen.push('first'));
    await bus.compareAndSet('t', write('k', 0, 'late'));
    void table.sync().then(() => seen.push(`second sees ${table.get('k')?.value}`));
    for (let asking = 0; asking < 5; asking += 1) {
      clock.advance(5);
      await settle();
      void table.sync();
    }
    expect(seen).toEqual(['first', 'second sees late']);
  });

  it('ignores a foreign message on its channel, with a warning', async () => {
    const bus = memory.bus();
    const table = follow(bus);
    await table.start();
    for (const message of ['not json', '[]', '{"generation":1}', '']) await bus.publish('c', message);
    await settle();
    expect(warned).toEqual(['a foreign message on a channel of ours is ignored']);
  });

  it('hears of changes too large for a message, and reads them', async () => {
    const [table, other] = [follow(memory.bus()), follow(memory.bus())];
    await Promise.all([table.start(), other.start()]);
    await table.write(write('k', 0, 'x'.repeat(100_000)));
    await settle();
    expect(other.get('k')?.value).toHaveLength(100_000);
  });

  it('keeps following when a listener throws', async () => {
    const table = follow(memory.bus(), {
      onChange: () => {
        throw new Error('inside');
      },
    });
    await table.start();
    expect(await table.write(write('k', 0, 'x'))).toMatchObject({ done: true });
    expect(warned).toEqual(['a table change was not handled']);
  });

  it('stops polling and hearing when it is closed', async () => {
    const [table, other] = [follow(memory.bus()), follow(memory.bus())];
    await Promise.all([table.start(), other.start()]);
    await other.close();
    await table.write(write('k', 0, 'x'));
    clock.advance(10 * POLL_MS);
    await settle();
    expect(other.get('k')).toBeUndefined();
  });
});
