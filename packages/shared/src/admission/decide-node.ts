// The guard: may this request touch the node, by the node's own exact figures?
// Why: a coordinator's view can be stale, and a node has to be safe without any coordinator and without Redis.
// Refuses when: the node's own stress for the role, at its place in the same shedding hash, says so.
// Cold start: signals that are still warming are unknown and never refuse.
// Recovers when: stress ends; at most `max_shed_ratio` is shed meanwhile.
import { judge, type ShedSubject } from './charge.ts';
import type { DecisionMoment } from './decision-moment.ts';
import type { NodeStress } from './node-stress.ts';
import { ADMIT, type Verdict } from './verdict.ts';

/** Decides one request at a data node for a role, from the node's own stress for that role. */
export function decideNode(
  role: 'primary' | 'replica',
  subject: ShedSubject,
  node: { readonly name: string; readonly stress: NodeStress },
  moment: DecisionMoment,
): Verdict {
  if (node.stress.would.stress === 0) return ADMIT;
  const reason = role === 'primary' ? 'primary_limit' : 'replica_limit';
  const charge = { reason, role, node: node.name, ageMs: 0, stress: node.stress } as const;
  return judge([charge], subject, moment, ADMIT);
}
