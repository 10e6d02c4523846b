// docker-compose.yml as docker compose reads it, with .env.example as .env and a secret set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './repository.ts';

export type ComposeService = {
  readonly image: string;
  readonly build?: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
};

export type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

export const COMPOSE_PATH = join(ROOT, 'docker-compose.yml');
export const COMPOSE_SECRET = '0123456789abcdef0123456789abcdef';

/** Names and values of .env.example. */
export function environmentExample(): ReadonlyMap<string, string> {
  return new Map(
    readFileSync(join(ROOT, '.env.example'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split('=') as [string, string]),
  );
}

export function readCompose(): Compose {
  const values: Record<string, string> = {
    ...Object.fromEntries(environmentExample()),
    WEIR_CLUSTER_SECRET: COMPOSE_SECRET,
  };
  const filled = readFileSync(COMPOSE_PATH, 'utf8').replace(
    /\$\{([A-Z0-9_]+)(?::[-?]([^}]*))?\}/g,
    (_all, name: string, otherwise: string) => values[name] || otherwise,
  );
  return parse(filled, { merge: true }) as Compose;
}
