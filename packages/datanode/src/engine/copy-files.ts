// Where are the files of shard copies, and which copies does a data directory hold?

import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WeirError } from '@weir/shared/errors';
import { z } from 'zod';
import type { CopyRef } from './engine.ts';

export type CopyFiles = {
  readonly directory: string;
  readonly documents: string;
  readonly search: string;
  /** Names the copy. Written last when it is made and removed first when it is forgotten: without it the rest is debris. */
  readonly identity: string;
};

const identitySchema = z.object({
  index: z.string(),
  index_uuid: z.string(),
  shard: z.number().int().min(0),
});

/** One word for a copy on this node. */
export function copyKey({ indexUuid, shard }: CopyRef): string {
  return `${indexUuid}/${shard}`;
}

export function copyFiles(dataPath: string, { indexUuid, shard }: CopyRef): CopyFiles {
  // The uuid becomes a path and came over the network.
  if (!/^[\w-]{1,64}$/.test(indexUuid) || !Number.isSafeInteger(shard) || shard < 0)
    throw new WeirError(
      'illegal_argument',
      'a copy needs an index uuid of letters, digits, - and _, and a shard number',
    );
  const directory = join(shardsDirectory(dataPath), indexUuid, String(shard));
  return {
    directory,
    documents: join(directory, 'docs.db'),
    search: join(directory, 'search.db'),
    identity: join(directory, 'copy.json'),
  };
}

/** Makes the directory ready; true when the copy was there already. What an unfinished creation or removal left is thrown away. */
export async function prepareCopy(files: CopyFiles): Promise<boolean> {
  if ((await readIdentity(files.identity)) !== undefined) return true;
  await rm(files.directory, { recursive: true, force: true });
  await mkdir(files.directory, { recursive: true });
  return false;
}

/** Makes a prepared copy one that counts. */
export async function confirmCopy(files: CopyFiles, copy: CopyRef): Promise<void> {
  const text = JSON.stringify({ index: copy.index, index_uuid: copy.indexUuid, shard: copy.shard });
  const temporary = `${files.identity}.new`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, files.identity);
  // The names of the directories above may be as new as the copy.
  const index = dirname(files.directory);
  for (const directory of [files.directory, index, dirname(index)]) await syncDirectory(directory);
}

export async function forgetCopy(files: CopyFiles): Promise<void> {
  await rm(files.identity, { force: true });
  await rm(files.directory, { recursive: true, force: true });
}

/** Every copy that was made and not forgotten. */
export async function listCopies(dataPath: string): Promise<readonly CopyRef[]> {
  const root = shardsDirectory(dataPath);
  const copies: CopyRef[] = [];
  for (const uuid of await namesIn(root))
    for (const shard of await namesIn(join(root, uuid))) {
      const copy = await readIdentity(join(root, uuid, shard, 'copy.json'));
      if (copy !== undefined) copies.push(copy);
    }
  return copies;
}

function shardsDirectory(dataPath: string): string {
  return join(dataPath, 'shards');
}

async function readIdentity(file: string): Promise<CopyRef | undefined> {
  const text = await readFile(file, 'utf8').catch(absent);
  if (text === undefined) return undefined;
  try {
    const { index, index_uuid, shard } = identitySchema.parse(JSON.parse(text));
    return { index, indexUuid: index_uuid, shard };
  } catch (cause) {
    throw new WeirError('internal', `[${file}] does not name a shard copy`, { cause });
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absent);
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function absent(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
