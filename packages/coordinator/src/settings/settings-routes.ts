// `/_cluster/settings` as OpenSearch has it, and `/_weir/settings` with version, dry run and history. Never judged by admission (invariant I11).
import {
  type Access,
  type EffectiveOption,
  type Handler,
  type RouteSpec,
  route,
  type SettingsResult,
  type SettingsStore,
  withClusterAccess,
} from '@weir/shared';
import type { Request, Response } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { type CollectBody, readJsonBody } from '../http/read-json-body.ts';
import { authorOf } from './settings-author.ts';
import {
  type AppliedVersion,
  defaultsOf,
  historyBody,
  shownSettings,
  weirSettingsBody,
} from './settings-bodies.ts';

export type SettingsRoutesParts = {
  readonly settings: Pick<SettingsStore, 'change' | 'document' | 'layers'>;
  /** What this process was started with, secrets redacted: shown among the defaults. */
  readonly options: readonly EffectiveOption[];
  /** Who may write. */
  readonly access: Access;
  readonly collectBody: CollectBody;
  /** What each node has applied, as far as it is known here. */
  readonly appliedVersions: () => readonly AppliedVersion[];
};

/** Accepted and without effect: a change either counts or fails at once. */
const WAITING = ['timeout', 'master_timeout', 'cluster_manager_timeout'] as const;

export function settingsRoutes(parts: SettingsRoutesParts): readonly RouteSpec[] {
  const { settings, options, access, appliedVersions } = parts;
  const guarded = (handle: Handler): Handler => withClusterAccess(access, handle);
  return [
    route('GET', '/_cluster/settings', (request, response) => {
      const query = new QueryParameters(request);
      const isFlat = query.flag('flat_settings', false);
      const withDefaults = query.flag('include_defaults', false);
      query.accept('local', ...WAITING);
      query.end();
      const layers = settings.layers();
      response.json({
        persistent: shownSettings(layers.persistent, isFlat),
        transient: shownSettings(layers.transient, isFlat),
        ...(withDefaults ? { defaults: shownSettings(defaultsOf(layers, options), isFlat) } : {}),
      });
    }),
    route(
      'PUT',
      '/_cluster/settings',
      guarded((request, response) => putClusterSettings(request, response, parts)),
    ),
    route('GET', '/_weir/settings', (request, response) => {
      new QueryParameters(request).end();
      response.json(weirSettingsBody(settings.document(), settings.layers(), appliedVersions()));
    }),
    route(
      'PUT',
      '/_weir/settings',
      guarded((request, response) => putWeirSettings(request, response, parts)),
    ),
    route('GET', '/_weir/settings/history', (request, response) => {
      new QueryParameters(request).end();
      response.json(historyBody(settings.document().history));
    }),
  ];
}

async function putClusterSettings(
  request: Request,
  response: Response,
  parts: SettingsRoutesParts,
): Promise<void> {
  const query = new QueryParameters(request);
  const isFlat = query.flag('flat_settings', false);
  query.accept(...WAITING);
  query.end();
  const body = await readJsonBody(request, parts.collectBody);
  const result = await parts.settings.change(body, { author: authorOf(request) });
  response.json({ acknowledged: true, ...shownResult(result, isFlat) });
}

async function putWeirSettings(
  request: Request,
  response: Response,
  parts: SettingsRoutesParts,
): Promise<void> {
  const query = new QueryParameters(request);
  const isFlat = query.flag('flat_settings', false);
  const dryRun = query.flag('dry_run', false);
  const ifVersion =
    query.text('if_version') === undefined
      ? undefined
      : query.integer('if_version', 0, 0, Number.MAX_SAFE_INTEGER);
  query.end();
  const body = await readJsonBody(request, parts.collectBody);
  const result = await parts.settings.change(body, { author: authorOf(request), ifVersion, dryRun });
  response.json({
    acknowledged: !dryRun,
    dry_run: dryRun,
    version: result.version,
    ...shownResult(result, isFlat),
    changes: result.changes.map(({ scope, key, from, to }) => ({ scope, key, old: from, new: to })),
  });
}

function shownResult({ requested }: SettingsResult, isFlat: boolean): Readonly<Record<string, unknown>> {
  return {
    persistent: shownSettings(requested.persistent, isFlat),
    transient: shownSettings(requested.transient, isFlat),
  };
}
