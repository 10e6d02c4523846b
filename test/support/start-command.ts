// `npm start` as a process: its own ports and data directory, ready when the coordinator is.
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { type HttpCalls, httpCalls } from './http-calls.ts';
import { ROOT } from './repository.ts';
import { type RunningService, runningService } from './running-service.ts';

export type StartCommand = HttpCalls & RunningService;

export type StartOptions = {
  /** Holds the data, and what the command printed. */
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In a process group of its own, as a terminal starts it. */
  readonly program?: readonly [string, ...string[]];
  /** Where the data nodes are asked to listen from, counted from the coordinator's port; 1 by default. */
  readonly dataNodesAt?: number;
};

/** The command, not yet started. */
export async function startCommand(options: StartOptions): Promise<StartCommand> {
  const { directory, env = {}, program, dataNodesAt = 1 } = options;
  const [port = 0] = await freePorts(5);
  const service = runningService({
    ...{ name: 'npm start', port, cwd: ROOT, logPath: join(directory, 'printed') },
    command: program ?? [process.execPath, 'scripts/start.mjs'],
    ownGroup: program !== undefined,
    env: {
      WEIR_HTTP_PORT: String(port),
      WEIR_DATANODE_PORT: String(port + dataNodesAt),
      WEIR_DATA_DIR: join(directory, 'data'),
      ...env,
    },
  });
  return Object.assign(service, httpCalls(service.origin));
}
