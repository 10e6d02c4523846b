// What every bus promises, as one suite that runs over the in-process bus and over a real Redis.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, type TableWrite, TOMBSTONES_KEPT } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';

const write = (key: string, expectedVersion: number, value: string | null): TableWrite => ({
  key,
  expectedVersion,
  value,
});

/** Describes `name`; `make` gives an empty bus. */
export function busContract(name: string, make: () => Promise<Bus>): void {
  describe(name, () => {
    let bus: Bus;
    beforeEach(async () => {
      bus = await make();
    });
    afterEach(() => bus.close());

    describe('messages', () => {
      it('reach every subscriber of their channel and no other', async () => {
        const heard: string[] = [];
        await bus.subscribe('a', (message) => heard.push(`1 ${message}`));
        await bus.subscribe('a', (message) => heard.push(`2 ${message}`));
        await bus.subscribe('b', (message) => heard.push(`b ${message}`));
        await bus.publish('a', 'hello');
        await eventually(() => heard.length === 2);
        expect(heard.sort()).toEqual(['1 hello', '2 hello']);
      });

      it('stop with the subscription, for that subscriber alone', async () => {
        const heard: string[] = [];
        const listener = (message: string): number => heard.push(message);
        const stop = await bus.subscribe('a', listener);
        await bus.subscribe('a', listener);
        await stop();
        await bus.publish('a', 'x');
        await eventually(() => heard.length > 0);
        expect(heard).toEqual(['x']);
      });

      it('keep their order and their bytes', async () => {
        const heard: string[] = [];
        await bus.subscribe('a', (message) => heard.push(message));
        const sent = Array.from({ length: 50 }, (_, number) => `${number} é 😀 \n "`);
        for (const message of sent) await bus.publish('a', message);
        await eventually(() => heard.length === sent.length);
        expect(heard).toEqual(sent);
      });

      it('can be counted by their hearers', async () => {
        expect(await bus.countSubscribers('a')).toBe(0);
        const stop = await bus.subscribe('a', () => undefined);
        expect(await bus.countSubscribers('a')).toBe(1);
        await stop();
        expect(await bus.countSubscribers('a')).toBe(0);
      });
    });

    describe('a table', () => {
      it('that was never written has no generation', async () => {
        expect(await bus.readTable('t')).toEqual({ generation: '', revision: 0, entries: new Map() });
        expect(await bus.readRevision('t')).toEqual({ generation: '', revision: 0 });
      });

      it('takes a write only at the version the writer knew', async () => {
        expect(await bus.compareAndSet('t', [write('k', 0, 'one')])).toMatchObject({
          done: true,
          versions: [1],
        });
        expect(await bus.compareAndSet('t', [write('k', 0, 'again')])).toEqual({
          done: false,
          current: new Map([['k', { version: 1, value: 'one' }]]),
        });
        expect(await bus.compareAndSet('t', [write('k', 1, 'two')])).toMatchObject({
          done: true,
          versions: [2],
        });
        expect((await bus.readTable('t')).entries).toEqual(new Map([['k', { version: 2, value: 'two' }]]));
      });

      it('tells of an entry that is expected but absent', async () => {
        expect(await bus.compareAndSet('t', [write('k', 3, 'x')])).toEqual({
          done: false,
          current: new Map(),
        });
        expect((await bus.readTable('t')).generation).toBe('');
      });

      it('makes all writes of a change or none', async () => {
        await bus.compareAndSet('t', [write('a', 0, '1')]);
        const refused = await bus.compareAndSet('t', [write('b', 0, '1'), write('a', 7, '2')]);
        expect(refused).toEqual({ done: false, current: new Map([['a', { version: 1, value: '1' }]]) });
        expect([...(await bus.readTable('t')).entries.keys()]).toEqual(['a']);
      });

      it('counts one revision per change and keeps its generation', async () => {
        const first = await bus.compareAndSet('t', [write('a', 0, '1'), write('b', 0, '1')]);
        const second = await bus.compareAndSet('t', [write('a', 1, '2')]);
        expect([first, second]).toMatchObject([{ revision: 1 }, { revision: 2 }]);
        const { generation, revision } = await bus.readRevision('t');
        expect([generation.length > 8, revision]).toEqual([true, 2]);
        expect(first).toMatchObject({ generation });
        expect(second).toMatchObject({ generation });
      });

      it('keeps a deletion as an entry without a value', async () => {
        await bus.compareAndSet('t', [write('k', 0, 'x')]);
        await bus.compareAndSet('t', [write('k', 1, null)]);
        expect((await bus.readTable('t')).entries.get('k')).toEqual({ version: 2, value: null });
        expect(await bus.compareAndSet('t', [write('k', 2, 'back')])).toMatchObject({ versions: [3] });
      });

      it('tells an empty value from a deletion, and keeps any text', async () => {
        const text = 'x=1\n😀"\\ \u0000 12x34';
        await bus.compareAndSet('t', [write('empty', 0, ''), write('e:é', 0, text)]);
        const { entries } = await bus.readTable('t');
        expect(entries.get('empty')?.value).toBe('');
        expect(entries.get('e:é')?.value).toBe(text);
      });

      it('forgets the oldest deletions, and never gives a forgotten name an old version again', async () => {
        const names = Array.from({ length: TOMBSTONES_KEPT + 5 }, (_, number) => `k${number}`);
        await bus.compareAndSet(
          't',
          names.map((name) => write(name, 0, 'x')),
        );
        for (const name of names) await bus.compareAndSet('t', [write(name, 1, null)]);
        const { entries } = await bus.readTable('t');
        expect([entries.size, entries.has('k4'), entries.has('k5')]).toEqual([TOMBSTONES_KEPT, false, true]);
        // One revision made them, one more each deletion: the next is above all of their versions.
        const again = await bus.compareAndSet('t', [write('k0', 0, 'new')]);
        expect(again).toMatchObject({ versions: [names.length + 2] });
      });

      it('takes back a lost entry only where it is absent or lower', async () => {
        expect(await bus.restore('t', 'k', { version: 7, value: 'seven' })).toBe(true);
        expect(await bus.restore('t', 'k', { version: 7, value: 'other' })).toBe(false);
        expect(await bus.restore('t', 'k', { version: 6, value: 'six' })).toBe(false);
        expect(await bus.restore('t', 'dead', { version: 9, value: null })).toBe(true);
        const { entries, generation, revision } = await bus.readTable('t');
        expect(entries).toEqual(
          new Map([
            ['k', { version: 7, value: 'seven' }],
            ['dead', { version: 9, value: null }],
          ]),
        );
        expect([generation === '', revision >= 9]).toEqual([false, true]);
        expect(await bus.compareAndSet('t', [write('k', 7, 'eight')])).toMatchObject({ versions: [8] });
      });

      it('lets exactly one of many writers of the same version through', async () => {
        await bus.compareAndSet('t', [write('k', 0, '0')]);
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, writer) => bus.compareAndSet('t', [write('k', 1, String(writer))])),
        );
        expect(results.filter(({ done }) => done)).toHaveLength(1);
      });
    });

    describe('a snapshot', () => {
      it('holds the newest value of every key', async () => {
        await bus.putSnapshot('nodes', 'a', '1');
        await bus.putSnapshot('nodes', 'b', '2');
        await bus.putSnapshot('nodes', 'a', '3');
        expect(await bus.readSnapshot('nodes')).toEqual(
          new Map([
            ['a', '3'],
            ['b', '2'],
          ]),
        );
        expect(await bus.readSnapshot('other')).toEqual(new Map());
      });
    });

    it('is up after an answer', async () => {
      await bus.readTable('t');
      expect(bus.isUp()).toBe(true);
    });
  });
}
