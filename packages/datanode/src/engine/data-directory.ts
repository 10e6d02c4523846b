// Is this data directory ours alone, and which node is it? Held by a lock that dies with the process, also with kill -9.

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Rng } from '@weir/shared/clock';
import { WeirError } from '@weir/shared/errors';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { sqliteCode } from './store/storage-error.ts';

/** A directory this process holds; nobody else writes in it until it is released. */
export type DataDirectory = {
  readonly path: string;
  /** Made once and kept in the directory: what the cluster's metadata knows this node by. */
  readonly nodeId: string;
  release(): void;
};

const nodeSchema = z.object({ node_id: z.string().min(1).max(64) });

/** 128 bits, as 22 letters fit for URLs. */
const NODE_ID_BYTES = 16;

/** Makes the directory where it does not exist, locks it and reads the node's id. Throws a `config` error in one line. */
export function openDataDirectory(path: string, rng: Rng): DataDirectory {
  const lock = lockDirectory(path);
  try {
    const nodeId = readNodeId(path) ?? writeNodeId(path, rng.bytes(NODE_ID_BYTES).toString('base64url'));
    return { path, nodeId, release: () => void lock.close() };
  } catch (thrown) {
    lock.close();
    throw thrown;
  }
}

/** Throws the same `config` error where another process holds the directory or it cannot be written, and leaves it free otherwise. */
export function checkDataDirectory(path: string): void {
  lockDirectory(path).close();
}

/** SQLite's own lock is the one kind of file lock that Node's libraries bring everywhere. */
function lockDirectory(path: string): Database.Database {
  let lock: Database.Database | undefined;
  try {
    mkdirSync(path, { recursive: true });
    lock = new Database(join(path, 'node.lock.db'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    throw new WeirError('config', `data directory [${path}] ${whyNot(cause)}`, { cause });
  }
}

function whyNot(cause: unknown): string {
  if (sqliteCode(cause)?.startsWith('SQLITE_BUSY') === true)
    return 'is in use by another process: stop it, or choose another directory';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `cannot be written (${reason}): make it writable for this user, or choose another directory`;
}

function readNodeId(path: string): string | undefined {
  const file = join(path, 'node.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WeirError('config', `[${file}] cannot be read`, { cause: thrown });
  }
  try {
    return nodeSchema.parse(JSON.parse(text)).node_id;
  } catch (cause) {
    throw new WeirError(
      'config',
      `[${file}] holds no node_id: restore it, or choose an empty data directory`,
      {
        cause,
      },
    );
  }
}

function writeNodeId(path: string, nodeId: string): string {
  const file = join(path, 'node.json');
  try {
    const handle = openSync(`${file}.new`, 'w');
    writeSync(handle, `${JSON.stringify({ node_id: nodeId })}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(`${file}.new`, file);
    return nodeId;
  } catch (cause) {
    throw new WeirError('config', `[${file}] cannot be written`, { cause });
  }
}
