// A certificate for loopback that only those trust who are given it, made by openssl.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SelfSigned = { readonly key: Buffer; readonly cert: Buffer; readonly certPath: string };

/** Written into `directory` as key.pem and cert.pem. */
export function selfSigned(directory: string): SelfSigned {
  const [keyPath, certPath] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject],
    { stdio: 'ignore' },
  );
  return { key: readFileSync(keyPath), cert: readFileSync(certPath), certPath };
}
