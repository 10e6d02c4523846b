// Whether the pages people read still speak of what is there: links, files, commands, settings, metrics, and the tests of the invariants.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '@weir/shared';
import { ROOT, readJson } from '../support/repository.ts';

const FOLDERS = ['packages', 'test', 'bench', 'tools', 'scripts', 'docs'];
const FILES = [...readdirSync(ROOT), ...FOLDERS.flatMap(filesUnder)];
const PAGES = FILES.filter((path) => path.endsWith('.md'));

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === 'node_modules' || entry.name === 'dist' ? [] : filesUnder(path);
  });
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** First groups of all matches in a page. */
function found(page: string, pattern: RegExp): string[] {
  return [...textOf(page).matchAll(pattern)].map(([, group = '']) => group);
}

/** The anchors GitHub makes of a page's headings. */
function anchorsOf(page: string): string[] {
  return found(page, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isAlive(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** A page may name a file by the end of its path. */
function isThere(named: string): boolean {
  const end = named.replace(/^(\.\.?\/)+/, '');
  return FILES.some((path) => path === end || path.endsWith(`/${end}`));
}

describe.each(PAGES)('%s', (page) => {
  it('has only links that lead somewhere', () => {
    const links = found(page, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
    expect(links.filter((link) => !isAlive(page, link))).toEqual([]);
  });

  it('names only files that there are', () => {
    const names = found(page, /`([\w./-]+\.(?:ts|mjs|cjs|md|svg|yml))`/g);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it('prints only commands that there are', () => {
    const scripts = new Set(Object.keys(readJson('package.json')['scripts'] as object));
    expect(found(page, /npm run ([a-z:]+)/g).filter((name) => !scripts.has(name))).toEqual([]);
  });

  it('names only settings and metrics that there are', () => {
    const keys = found(page, /[`"](weir\.[a-z_]+(?:\.[a-z_]+)+)[`"]/g);
    const isKey = (key: string): boolean =>
      SETTINGS.has(key) || textOf('docs/settings.md').includes(`\`${key}\``);
    expect(keys.filter((key) => !isKey(key) && !hasBelow(key))).toEqual([]);
    const metrics = found(page, /`(weir_[a-z_]+)[`{]/g);
    expect(metrics.filter((name) => !textOf('docs/metrics.md').includes(`\`${name}\``))).toEqual([]);
  });
});

/** `weir.admission.heap.primary` is a key of nested settings. */
function hasBelow(key: string): boolean {
  return [...SETTINGS.keys()].some((other) => other.startsWith(`${key}.`));
}

describe('ARCHITECTURE.md', () => {
  it('names for each invariant tests that name it', () => {
    const rows = [...textOf('ARCHITECTURE.md').matchAll(/^\| (I\d+) \|.*\| ([^|]*) \|$/gm)];
    expect(rows.map(([, number]) => number)).toEqual(Array.from({ length: 14 }, (_, at) => `I${at + 1}`));
    for (const [, number = '', cell = ''] of rows)
      for (const [, path = ''] of cell.matchAll(/`([^`]+)`/g))
        expect([path, new RegExp(`\\b${number}\\b`).test(textOf(path))]).toEqual([path, true]);
  });
});
