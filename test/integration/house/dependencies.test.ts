// Whether every direct dependency is exact, explained, and locked without naming a private registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readJson, WORKSPACES } from '../../support/repository.ts';

type Dependency = { readonly workspace: string; readonly name: string; readonly version: string };

function dependenciesOf(workspace: string): Dependency[] {
  const manifest = readJson(join(workspace, 'package.json'));
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.entries((manifest[kind] ?? {}) as Record<string, string>).map(([name, version]) => ({
      workspace: workspace === '.' ? 'root' : (workspace.split('/').at(-1) ?? workspace),
      name,
      version,
    })),
  );
}

const all = WORKSPACES.flatMap(dependenciesOf);

/** A version, or another package's exact version under this name. */
const EXACT = /^(npm:(@[^@]+\/)?[^@/]+@)?\d+\.\d+\.\d+$/;

type Facts = { readonly version: string; readonly licence: string; readonly usedBy: readonly string[] };

function declared(): Map<string, Facts> {
  const facts = new Map<string, Facts>();
  for (const { name, version, workspace } of all) {
    if (name.startsWith('@weir/')) continue;
    const licence = String(readJson(`node_modules/${name}/package.json`)['license']);
    facts.set(name, { version, licence, usedBy: [...(facts.get(name)?.usedBy ?? []), workspace].sort() });
  }
  return facts;
}

function documented(): Map<string, Facts & { readonly why: string }> {
  const rows = new Map<string, Facts & { readonly why: string }>();
  for (const line of readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').split('\n')) {
    const [, name = '', version = '', licence = '', usedBy = '', why, end] = line
      .split('|')
      .map((cell) => cell.trim());
    if (why === undefined || end === undefined || name === 'package' || name.startsWith('-')) continue;
    rows.set(name, { version, licence, usedBy: usedBy.split(', ').sort(), why });
  }
  return rows;
}

describe('dependencies', () => {
  it('are exact versions, the packages of this repository included', () => {
    expect(all.filter(({ version }) => !EXACT.test(version))).toEqual([]);
  });

  it('stand in docs/dependencies.md with version, licence and users, and nothing else does', () => {
    const facts = [...documented()].map(([name, { why: _why, ...row }]) => [name, row] as const);
    expect(Object.fromEntries(facts)).toEqual(Object.fromEntries(declared()));
  });

  it('each have a reason there', () => {
    expect([...documented()].filter(([, { why }]) => why.length < 5)).toEqual([]);
  });

  it('are locked without naming a registry other than the public one', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    const hosts = [...lock.matchAll(/"resolved": "(https?:\/\/[^/"]+)/g)].map((match) => match[1]);
    expect(hosts.filter((host) => host !== 'https://registry.npmjs.org')).toEqual([]);
  });
});
