// `npm run load`: indexes a file or a data set through a coordinator and tells how it goes; exit code 0 only if every document is stored.
import { systemClock, systemTimers } from '@weir/shared';
import { openDocuments } from './load/documents.ts';
import { findServer } from './load/find-server.ts';
import { type LoadArguments, parseLoadArguments, USAGE } from './load/load-arguments.ts';
import { noProgress, runLoad } from './load/run-load.ts';
import { sendBulk } from './load/send-bulk.ts';
import { progressLine, summary } from './load/show-progress.ts';

const BAR_EVERY_MS = 200;
const LINE_EVERY_MS = 5_000;

async function load({ source, index, rate, concurrency, bulk, url }: LoadArguments): Promise<number> {
  const documents = await openDocuments(source);
  await findServer(url);
  const progress = noProgress();
  const startMs = systemClock.nowMs();
  const shown = () => ({ progress, total: documents.total, elapsedMs: systemClock.nowMs() - startMs });
  const terminal = process.stderr.isTTY === true;
  const show = (): void => {
    process.stderr.write(terminal ? `\r\u001b[2K${progressLine(shown())}` : `${progressLine(shown())}\n`);
  };
  const stop = systemTimers.every(terminal ? BAR_EVERY_MS : LINE_EVERY_MS, show);
  await runLoad(
    {
      documents: documents.read(),
      bulk,
      concurrency,
      rate,
      send: (batch) => sendBulk(url, index, batch),
      clock: systemClock,
      timers: systemTimers,
    },
    progress,
  );
  stop();
  show();
  if (terminal) process.stderr.write('\n');
  process.stdout.write(summary(shown()));
  return progress.failed === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const defaultUrl = process.env['WEIR_URL'] ?? `http://127.0.0.1:${process.env['WEIR_HTTP_PORT'] ?? 9200}`;
  const parsed = parseLoadArguments(process.argv.slice(2), defaultUrl);
  if (parsed.kind === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (parsed.kind === 'wrong') {
    process.stderr.write(`load: ${parsed.problems.join('; ')}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await load(parsed.load);
  } catch (error) {
    process.stderr.write(`load: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();
