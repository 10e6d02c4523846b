// The floor of what a coordinator and an agent can cost: two proxies of Node.js with no work of their own, one behind the other.
import { join } from 'node:path';
import { request } from 'undici';
import { type Child, startChild } from './child.ts';
import { freePorts, HOST, until } from './service-processes.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type BareHops = { readonly origin: string; readonly hops: readonly Child[]; stop(): Promise<void> };

const PROGRAM = new URL('./bare-hop.js', import.meta.url).pathname;

/** POSTs pass both, as bulks do with Weir; everything else passes the first alone, as reads do. */
export async function startBareHops(upstream: string): Promise<BareHops> {
  const { path: directory, remove } = temporaryDirectory();
  const [first = 0, second = 0] = await freePorts(2);
  const originOf = (port: number): string => `http://${HOST}:${port}`;
  const hops = [
    startHop(directory, second, [upstream]),
    startHop(directory, first, [upstream, originOf(second)]),
  ];
  await Promise.all(hops.map((hop, at) => until(hop, () => answers(originOf(at === 0 ? second : first)))));
  return {
    ...{ origin: originOf(first), hops },
    async stop() {
      for (const hop of hops) await hop.stop();
      remove();
    },
  };
}

function startHop(directory: string, port: number, origins: readonly string[]): Child {
  const name = `bare hop ${port}`;
  const command = [process.execPath, PROGRAM, String(port), ...origins];
  return startChild(name, command, { logFile: join(directory, `${port}.log`) });
}

async function answers(origin: string): Promise<boolean> {
  const answer = await request(origin);
  await answer.body.dump();
  return answer.statusCode === 200;
}
