// Whether a Redis answers at a URL, asked in its own protocol without a client library.
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const TIME_LIMIT_MS = 3_000;

/** Undefined when Redis answers PING, else what went wrong in a few words; a password is never shown. */
export function redisProblem(url) {
  return new Promise((resolve) => {
    const { socket, commands } = open(url);
    const end = (problem) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => end(`no answer within ${TIME_LIMIT_MS / 1000} s`), TIME_LIMIT_MS);
    let answers = '';
    socket.on('error', (error) => end(error.code ?? error.message));
    socket.on('close', () => end('the connection was closed'));
    socket.on('data', (chunk) => {
      answers += chunk.toString('utf8');
      const lines = answers.split('\r\n').slice(0, -1);
      const wrong = lines.find((line) => !line.startsWith('+'));
      if (wrong !== undefined)
        end(wrong.startsWith('-') ? wrong.slice(1) : 'it does not speak the protocol of Redis');
      else if (lines.length === commands.length) end(undefined);
    });
    socket.write(commands.map(encode).join(''));
  });
}

function open(url) {
  if (url.startsWith('unix://') || url.startsWith('/'))
    return { socket: connect({ path: url.replace(/^unix:\/\//, '') }), commands: [['PING']] };
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 6379 : Number(port) };
  const socket =
    protocol === 'rediss:' ? connectTls({ ...target, servername: target.host }) : connect(target);
  const login = [username, password].filter((part) => part !== '').map(decodeURIComponent);
  const database = pathname.slice(1);
  return {
    socket,
    commands: [
      ...(password === '' ? [] : [['AUTH', ...login]]),
      ...(database === '' ? [] : [['SELECT', database]]),
      ['PING'],
    ],
  };
}

function encode(words) {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
