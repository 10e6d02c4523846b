// What operators and probes look at: the view, the newest refusals, liveness, readiness and metrics. Never judged by admission.
import {
  type Clock,
  type ClusterView,
  type EffectiveSettings,
  type IndexingPressure,
  type Metrics,
  type NodeStress,
  type RecordDecisions,
  type RouteSpec,
  reportNodes,
  route,
  WeirError,
} from '@weir/shared';
import { QueryParameters } from '../http/query-parameters.ts';
import type { Readiness } from './readiness.ts';

export type OperatorDependencies = {
  readonly name: string;
  readonly clock: Clock;
  readonly settings: () => EffectiveSettings;
  readonly view: ClusterView;
  readonly ownStress: () => NodeStress;
  readonly pressure: Pick<IndexingPressure, 'combinedBytes'>;
  readonly recorder: Pick<RecordDecisions, 'newest' | 'find'>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly readiness: () => Readiness;
};

export function operatorRoutes(deps: OperatorDependencies): readonly RouteSpec[] {
  return [
    route('GET', '/livez', (request, response) => {
      new QueryParameters(request).end();
      response.json({ status: 'ok' });
    }),
    route('GET', '/readyz', (request, response) => {
      const query = new QueryParameters(request);
      const verbose = query.flag('verbose', false);
      query.end();
      const { status, checks } = deps.readiness();
      response.status(status === 'not_ready' ? 503 : 200).json(verbose ? { status, checks } : { status });
    }),
    route('GET', '/metrics', async (_request, response) => {
      response.setHeader('Content-Type', deps.metrics.contentType);
      response.send(await deps.metrics.text());
    }),
    route('GET', '/_weir/view', (request, response) => {
      new QueryParameters(request).end();
      response.json(viewBody(deps));
    }),
    route('GET', '/_weir/rejections', (request, response) => {
      const query = new QueryParameters(request);
      const size = query.integer('size', 100, 0, 1_000);
      query.end();
      response.json({ rejections: deps.recorder.newest(size) });
    }),
    route('GET', '/_weir/explain/:decision_id', (request, response) => {
      new QueryParameters(request).end();
      const decisionId = String(request.params['decision_id']);
      const refusal = deps.recorder.find(decisionId);
      if (refusal === undefined)
        throw new WeirError(
          'not_found',
          `decision [${decisionId}] is not among the newest refusals of [${deps.name}]; those of a data node are kept by that node`,
        );
      response.json(refusal);
    }),
  ];
}

function viewBody({ name, clock, settings, view, ownStress, pressure }: OperatorDependencies): unknown {
  const inForce = settings();
  const { stress } = ownStress().would;
  return {
    coordinator: name,
    settings_version: inForce.version,
    own: { stress: Math.round(stress * 1_000) / 1_000, in_flight_bytes: pressure.combinedBytes },
    nodes: reportNodes(view, clock.nowMs(), inForce),
  };
}
