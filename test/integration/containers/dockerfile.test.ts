// Whether the Dockerfile would build and run: no lint, no root, every path it names is there, its entry point and health check work.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadCoordinatorConfig } from '@weir/coordinator';
import { type Copy, DockerfileParser, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { ROOT, readJson } from '../../support/repository.ts';

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const instructions = dockerfile.getInstructions();
const last = (keyword: string) => instructions.filter((found) => found.getKeyword() === keyword).at(-1);
const words = (keyword: string) =>
  (last(keyword) as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue());
const inRepository = (path: string) => join(ROOT, path.replace(/^\/weir\//, ''));

describe('Dockerfile', () => {
  it('has no lint', () => {
    expect(validate(text)).toEqual([]);
  });

  it('runs as a user who is not root, given by number', () => {
    expect(last('USER')?.getArgumentsContent()).toBe('1000:1000');
  });

  it('copies only what is in the repository and in its build context', () => {
    const copies = dockerfile.getCOPYs().filter((copy: Copy) => copy.getFromFlag() === null);
    const sources = copies.flatMap((copy) =>
      copy
        .getArguments()
        .slice(0, -1)
        .map((source) => source.getValue()),
    );
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    for (const workspace of ['test', 'bench', 'tools'])
      expect(ignored).toContain(`!${workspace}/package.json`);
    expect(sources.filter((source) => ignored.includes(source))).toEqual([]);
  });

  it('installs every workspace that it builds', () => {
    const built = /tsc --build (.*?) \\?\n/.exec(text)?.[1]?.split(' ') ?? [];
    expect(built.sort()).toEqual(['packages/coordinator', 'packages/datanode', 'packages/standalone']);
    for (const workspace of [...built, 'packages/shared']) expect(text).toContain(`--workspace=${workspace}`);
    const workspaces = readJson('package.json')['workspaces'] as string[];
    for (const workspace of workspaces.filter((pattern) => !pattern.endsWith('*')))
      expect(text).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  it('sets configuration that the services accept', () => {
    const env = Object.fromEntries(
      dockerfile
        .getENVs()
        .flatMap((instruction) =>
          instruction.getProperties().map((property) => [property.getName(), property.getValue() ?? '']),
        ),
    );
    expect(loadCoordinatorConfig({ argv: [], env })).toMatchObject({
      config: { host: '0.0.0.0', httpPort: 9200, dataDir: '/var/lib/weir' },
    });
  });

  it.each(['coordinator', 'datanode', 'standalone'])('runs %s by its name', (service) => {
    const [entry = ''] = words('ENTRYPOINT');
    const run = spawnSync(inRepository(entry), [service, '--version'], { encoding: 'utf8' });
    expect([run.stdout, run.status]).toEqual([`${readJson('package.json')['version']}\n`, 0]);
  });

  it('says which services there are when the command names none of them', () => {
    const [entry = ''] = words('ENTRYPOINT');
    const run = spawnSync(inRepository(entry), ['coordinater'], { encoding: 'utf8' });
    expect(run.status).toBe(64);
    expect(run.stderr).toBe("weir: 'coordinater' is no service: coordinator, datanode and standalone are\n");
  });

  it('is healthy exactly while the service says that it is ready', async () => {
    const check = last('HEALTHCHECK')?.getArgumentsContent() ?? '';
    const [, script = ''] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/readyz' ? status : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const exitCode = () =>
      new Promise((resolve) => {
        const env = { ...process.env, WEIR_HTTP_PORT: String(port) };
        spawn(process.execPath, [inRepository(script)], { env }).once('exit', resolve);
      });
    expect(await exitCode()).toBe(0);
    status = 503;
    expect(await exitCode()).toBe(1);
    await new Promise((resolve) => server.close(resolve));
    expect(await exitCode()).toBe(1);
  });
});
