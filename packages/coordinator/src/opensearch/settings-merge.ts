// Whose settings are these: Weir's own, the cluster's behind it, or both at once? And one picture of both.
import { isRecord } from '../http/read-json-body.ts';

export type SettingsOwner = 'weir' | 'cluster' | 'both';

const SCOPES = ['persistent', 'transient', 'defaults'] as const;

/** By the first part of every key in a request's body, nested or dotted. What is no body of settings is the cluster's to complain of. */
export function ownerOf(body: unknown): SettingsOwner {
  if (!isRecord(body)) return 'cluster';
  const keys = Object.values(body).flatMap((scope) => (isRecord(scope) ? Object.keys(scope) : []));
  const own = keys.filter(isOwn).length;
  if (own === 0) return 'cluster';
  return own === keys.length ? 'weir' : 'both';
}

/** One key of each owner, for the error that names them. */
export function mixedKeys(body: unknown): readonly [string, string] {
  const keys = Object.values(isRecord(body) ? body : {}).flatMap((scope) =>
    isRecord(scope) ? Object.keys(scope) : [],
  );
  return [keys.find(isOwn) ?? '', keys.find((key) => !isOwn(key)) ?? ''];
}

/** Weir's settings put beside the cluster's in each scope that the cluster shows. */
export function mergeSettings(
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Partial<Record<(typeof SCOPES)[number], Readonly<Record<string, unknown>>>>>,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...theirs };
  for (const scope of SCOPES) {
    const shown = merged[scope];
    if (!isRecord(shown)) continue;
    const own = Object.entries(ours[scope] ?? {}).filter(([key]) => isOwn(key));
    merged[scope] = { ...shown, ...Object.fromEntries(own) };
  }
  return merged;
}

function isOwn(key: string): boolean {
  return key === 'weir' || key.startsWith('weir.');
}
