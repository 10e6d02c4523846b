// A proxy with no work of its own, as a process: what does passing on cost Node.js, whoever writes it? `bare-hop.js port origin [origin for POST]`
import { createServer, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { HOST } from './service-processes.ts';

const [port, origin = '', originForPosts = origin] = process.argv.slice(2);
const poolOf = (to: string): Pool => new Pool(to, { connections: null });
const others = poolOf(origin);
const posts = originForPosts === origin ? others : poolOf(originForPosts);

/** Sent on and answered whole, as coordinators and agents do with a shard request. */
function answerInto(response: ServerResponse): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, { 'content-type': type }) {
      response.writeHead(status, type === undefined ? {} : { 'content-type': type });
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      response.end(Buffer.concat(chunks));
    },
    onResponseError(_controller, error) {
      response.destroy(error);
    },
  };
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: path = '/', headers } = request;
    const isPost = method === 'POST';
    (isPost ? posts : others).dispatch(
      {
        ...{ path, method: isPost ? 'POST' : 'GET' },
        headers: isPost ? { 'content-type': headers['content-type'] } : {},
        body: isPost ? Buffer.concat(chunks) : null,
      },
      answerInto(response),
    );
  });
}).listen(Number(port), HOST);
