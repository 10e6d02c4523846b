// docs/metrics.md: every metric with its labels, and every reason with its faces in log, metrics and answers.
import { METRIC_NAMES, METRICS, REASON_NAMES, REASONS, REFUSAL_MESSAGES } from '@weir/shared';
import { code, page, table } from './markdown.ts';

export function metricsPage(): string {
  return page(
    'Metrics, reasons and log lines',
    '## Metrics',
    `At \`GET /metrics\` of every process, in Prometheus' text format. Labels come from closed lists: no index name, no id. Counters start at 0 with the process;
\`process_start_time_seconds\` says when that was.`,
    table(
      ['metric', 'kind', 'labels', 'meaning'],
      METRIC_NAMES.map((name) => [code(name), METRICS[name].kind, labelsOf(name), METRICS[name].help]),
    ),
    '## Reasons',
    `Why a shard request was refused, or admitted without evidence, in the order in which they are charged. The name is the same in the log field \`reason\`, in the
metric label \`reason\`, and in \`error.weir.reason\` of a refused item.`,
    table(
      ['reason', 'said by', 'status', 'error type', 'meaning'],
      REASON_NAMES.map((name) => {
        const { where, status, errorType, meaning } = REASONS[name];
        return [code(name), where, String(status), code(errorType), meaning];
      }),
    ),
    '## Log lines of refusals',
    table(
      ['message', 'level', 'written'],
      [
        [code(REFUSAL_MESSAGES.refuse), 'warn', 'for a refused shard request'],
        [
          code(REFUSAL_MESSAGES.would_refuse),
          'info',
          'in mode monitor_only, for one that mode enforced would refuse',
        ],
        [
          code(REFUSAL_MESSAGES.summed),
          'warn, info',
          'once a second with the exact totals of those that had no line, beyond `weir.log.refusals_per_second` per reason and node',
        ],
      ],
    ),
    `Fields of a refusal: \`decision_id\`, \`verdict\`, \`reason\`, \`role\`, \`index\`, \`shard\`, \`node\`, \`signal\`, \`value\`, \`limit\`, \`age_ms\`, \`stress\`, \`retry_after_ms\`,
\`mode\`, \`operations\`, \`bytes\`, \`request_id\`, \`opaque_id\`, \`trace_id\`, \`settings_version\`. \`value\` and \`limit\` are percents, milliseconds for \`queue\`, or bytes.
Texts a client chose are cut and their control characters escaped; a line is below 1 kB.`,
  );
}

function labelsOf(name: (typeof METRIC_NAMES)[number]): string {
  return Object.entries<readonly string[] | string>(METRICS[name].labels)
    .map(([label, values]) => `${code(label)}: ${shown(values)}`)
    .join('; ');
}

function shown(values: readonly string[] | string): string {
  if (values === 'nodes') return 'name of a data node';
  if (REASON_NAMES.every((reason) => values.includes(reason))) return 'none, or a reason below';
  return typeof values === 'string' ? 'one value per process' : values.join(', ');
}
