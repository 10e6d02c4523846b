// Is this an OpenSearch that Weir can stand in front of? Asked once, at the start: every other answer is one line that says what to mend.
import { WeirError } from '@weir/shared';
import { z } from 'zod';
import type { Upstream } from './upstream.ts';
import { failureCode } from './upstream-failure.ts';

const rootSchema = z.object({
  cluster_name: z.string(),
  cluster_uuid: z.string().default(''),
  version: z.object({ number: z.string(), distribution: z.string().optional() }),
});
type Root = z.infer<typeof rootSchema>;

/** Who answers: the cluster, and the oldest version its addresses showed. */
export type UpstreamIdentity = {
  readonly clusterName: string;
  readonly product: 'OpenSearch' | 'Elasticsearch';
  readonly version: string;
  /** Addresses that did not answer, with the reason; the others serve. */
  readonly unreachable: readonly string[];
};

const TIMEOUT_MS = 5_000;
/** Addresses with which the cluster state, bulk answers and node stats have the forms that Weir reads. */
const OLDEST = { OpenSearch: [1, 0], Elasticsearch: [7, 10] } as const;

/** Throws `config` where no address answers as it should, or where two belong to different clusters. */
export async function checkUpstream(upstream: Pick<Upstream, 'origins' | 'read'>): Promise<UpstreamIdentity> {
  const { origins } = upstream;
  const answers = await Promise.allSettled(
    origins.map((origin) => upstream.read('/', rootSchema, TIMEOUT_MS, origin)),
  );
  const roots: Root[] = [];
  const problems: string[] = [];
  answers.forEach((answer, position) => {
    const origin = origins[position] ?? '';
    if (answer.status === 'fulfilled') {
      checkVersion(answer.value, origin);
      roots.push(answer.value);
    } else problems.push(problemOf(answer.reason, origin));
  });
  const [first, ...others] = roots;
  if (first === undefined) throw new WeirError('config', `weir.opensearch.urls: ${problems.join('; ')}`);
  const stranger = others.find(({ cluster_uuid }) => cluster_uuid !== first.cluster_uuid);
  if (stranger !== undefined)
    throw new WeirError(
      'config',
      `weir.opensearch.urls: [${origins.join(', ')}] belong to different clusters, [${first.cluster_name}] and [${stranger.cluster_name}]`,
    );
  return {
    clusterName: first.cluster_name,
    product: productOf(first),
    version: first.version.number,
    unreachable: problems,
  };
}

function checkVersion(root: Root, origin: string): void {
  const product = productOf(root);
  const [oldestMajor, oldestMinor] = OLDEST[product];
  const [major = 0, minor = 0] = root.version.number.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new WeirError(
    'config',
    `weir.opensearch.urls: [${origin}] is ${product} ${root.version.number}, Weir needs ${product} ${oldestMajor}.${oldestMinor} or newer`,
  );
}

function productOf({ version }: Root): UpstreamIdentity['product'] {
  return version.distribution === 'opensearch' ? 'OpenSearch' : 'Elasticsearch';
}

/** What went wrong at one address, and what to look at. */
function problemOf(reason: unknown, origin: string): string {
  if (!(reason instanceof WeirError)) throw reason;
  const { code, message, cause } = reason;
  if (code === 'unauthorized' || code === 'forbidden')
    return `[${origin}] refuses the credentials (status ${reason.status}): see weir.opensearch.username, .password and .api_key`;
  if (code === 'gateway_timeout') return `[${origin}] does not answer within ${TIMEOUT_MS} ms`;
  const failure = failureCode(cause);
  if (failure === undefined) return `[${origin}] does not answer like OpenSearch (${message})`;
  if (CERTIFICATE.test(failure))
    return `[${origin}] shows a certificate that is not trusted (${failure}): see weir.opensearch.ca_file`;
  if (NOT_HTTP.test(failure))
    return `[${origin}] does not speak ${origin.startsWith('https') ? 'https' : 'http'} (${failure}): is it ${origin.startsWith('https') ? 'http' : 'https'}?`;
  return `[${origin}] cannot be reached (${failure}): is OpenSearch running there?`;
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/;
const NOT_HTTP = /^(?:HPE_|HTTPParserError|EPROTO|ERR_SSL|ECONNRESET|UND_ERR_SOCKET)/;
