// nginx as a plain proxy to one origin: one process, connections kept on both sides, nothing logged, and nothing written to disk on the way.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { type Child, startChild } from './child.ts';
import { freePorts, HOST, until } from './service-processes.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type NginxProcess = { readonly origin: string; readonly child: Child; stop(): Promise<void> };

/** Undefined where no nginx is installed. */
export async function startNginx(upstream: string): Promise<NginxProcess | undefined> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return undefined;
  const { path: directory, remove } = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port, new URL(upstream).host));
  const child = startChild('nginx', ['nginx', '-p', directory, '-c', file, '-e', 'stderr'], {
    logFile: join(directory, 'nginx.log'),
  });
  const origin = `http://${HOST}:${port}`;
  await until(child, async () => {
    const answer = await request(origin);
    await answer.body.dump();
    return answer.statusCode === 200;
  });
  return {
    ...{ origin, child },
    async stop() {
      await child.stop();
      remove();
    },
  };
}

/** Buffers hold the largest body and answer of the benchmarks; the defaults would write them to files. */
function configuration(directory: string, port: number, upstream: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
    .join(' ');
  return `
daemon off; master_process off; pid ${join(directory, 'nginx.pid')};
events { worker_connections 512; }
http {
  access_log off; ${temporary}
  upstream opensearch { server ${upstream}; keepalive 32; keepalive_requests 100000000; }
  server {
    listen ${HOST}:${port}; keepalive_requests 100000000;
    client_max_body_size 0; client_body_buffer_size 1m;
    location / {
      proxy_pass http://opensearch; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffer_size 64k; proxy_buffers 16 64k; proxy_busy_buffers_size 128k; proxy_max_temp_file_size 0;
    }
  }
}
`;
}
