// Asks one data node something small over its internal interface, and gives back a validated answer or the node's own error.
import { ERROR_CODES, type ErrorCode, type HttpAnswer, type HttpClient, WeirError } from '@weir/shared';
import { z } from 'zod';

export type DataNodeCalls = {
  readonly http: HttpClient;
  /** Sent with every call; they open internal routes where the cluster has a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long a read may take. */
  readonly timeoutMs: number;
};

const errorSchema = z.object({
  error: z.object({ type: z.string(), reason: z.string() }),
  status: z.number(),
});

/** Posts JSON to a data node; throws its error, or `bad_gateway` for an answer that is none. */
export async function postToDataNode<Schema extends z.ZodType>(
  calls: DataNodeCalls,
  origin: string,
  path: string,
  body: unknown,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const answer = await calls.http.call({
    origin,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...calls.headers },
    body: JSON.stringify(body),
    timeoutMs: calls.timeoutMs,
  });
  return parsed(answer, `POST ${origin}${path}`, schema);
}

/** Gets JSON from a data node, in the same way. */
export async function getFromDataNode<Schema extends z.ZodType>(
  calls: DataNodeCalls,
  origin: string,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { http, headers, timeoutMs } = calls;
  const answer = await http.call({ origin, path, method: 'GET', headers, timeoutMs });
  return parsed(answer, `GET ${origin}${path}`, schema);
}

/** The body of a 2xx as the schema says; anything else as an error. */
function parsed<Schema extends z.ZodType>(answer: HttpAnswer, call: string, schema: Schema): z.infer<Schema> {
  const json = jsonOf(answer.body);
  if (answer.status >= 200 && answer.status < 300) {
    const body = schema.safeParse(json);
    if (body.success) return body.data;
    throw new WeirError('bad_gateway', `${call}: unexpected answer: ${body.error.issues[0]?.path.join('.')}`);
  }
  const failure = errorSchema.safeParse(json);
  if (!failure.success) throw new WeirError('bad_gateway', `${call}: status ${answer.status}`);
  throw new WeirError(codeOf(failure.data.error.type, answer.status), failure.data.error.reason);
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The code with this type and status; one with the same status, where a newer node knows more types. */
function codeOf(type: string, status: number): ErrorCode {
  const codes = Object.entries(ERROR_CODES) as [ErrorCode, { status: number; type: string }][];
  const sameStatus = codes.filter(([, row]) => row.status === status);
  const exact = sameStatus.find(([, row]) => row.type === type);
  return exact?.[0] ?? sameStatus[0]?.[0] ?? 'bad_gateway';
}
