// Sends the operations of a bulk that Weir cannot place to OpenSearch, as one bulk with the client's own lines, query and rights.
import type { SendUnsplit } from '../bulk/send-unsplit.ts';
import { callBulk } from './bulk-call.ts';
import { withoutShaping } from './query-shaping.ts';
import { unsplitBody } from './unsplit-body.ts';
import type { Upstream } from './upstream.ts';

export function sendPart(upstream: Pick<Upstream, 'ask'>): SendUnsplit {
  return ({ client, actions, timeoutMs }) => {
    const call = {
      path: withoutShaping(client.target),
      rawHeaders: client.rawHeaders,
      body: unsplitBody(client.body, actions),
      timeoutMs,
    };
    return callBulk(upstream, call, actions);
  };
}
