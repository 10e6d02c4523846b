// A process that writes to an engine until it is killed, and prints each id once its document is acknowledged.
import { openDataDirectory, sqliteEngine } from '@weir/datanode';
import { systemClock, systemRng, systemTimers } from '@weir/shared';
import { admittedPrimary, COPY, indexOperation, METADATA } from './shard-requests.ts';

const CLIENTS = 8;
const PER_REQUEST = 5;

const [path = '', prefix = ''] = process.argv.slice(2);
const directory = openDataDirectory(path, systemRng);
const engine = await sqliteEngine({ directory, clock: systemClock, timers: systemTimers });
await engine.openCopy(COPY, METADATA);

async function client(name: string): Promise<never> {
  for (let round = 0; ; round++) {
    const ids = Array.from({ length: PER_REQUEST }, (_, at) => `${prefix}-${name}-${round}-${at}`);
    await engine.applyPrimary(admittedPrimary(ids.map((id) => indexOperation(id, { id }))));
    process.stdout.write(`${ids.join('\n')}\n`);
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(String(at))));
