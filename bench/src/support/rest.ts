// Small JSON requests of a benchmark to the services it started.
import { request } from 'undici';

/** The body of a successful answer; any other ends the benchmark. */
export async function mustCall(
  method: string,
  url: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await request(url, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Sends a bulk of which every item has to be stored. */
export async function mustBulk(url: string, lines: readonly string[]): Promise<void> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  const body = (await answer.body.json()) as { errors?: boolean };
  if (answer.statusCode !== 200 || body.errors !== false)
    throw new Error(`POST ${url}: ${answer.statusCode} ${JSON.stringify(body).slice(0, 500)}`);
}

export async function putSettings(origin: string, persistent: Record<string, unknown>): Promise<void> {
  await mustCall('PUT', `${origin}/_cluster/settings`, { persistent });
}
