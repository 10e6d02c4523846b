// Why an action is not split by shard: only the engine behind can tell where it goes, or what is wrong with it.

/** Closed list: each reason is a metric label. */
export const UNSPLIT_REASONS = {
  topology_unknown: 'Nothing is known of the cluster yet.',
  unknown_parameter: 'The request says something that only the engine may understand.',
  doubtful_update: 'An update for which the engine may refuse the whole request.',
  date_math: 'The name is made of the date when the engine reads it.',
  unknown_index: "There is no such index; whether it is made is the engine's own rule.",
  data_stream: 'A stream writes to an index of its own choice.',
  require_alias: 'The name has to be an alias and is none.',
  no_write_index: 'The alias says of no index that it is the one to write to.',
  alias_routing: 'The alias has a routing that the given one contradicts, or several.',
  closed: 'The index is closed.',
  blocked: 'The index takes no writes.',
  pipeline: 'A pipeline may change the index, the id and the routing, or the request names none to pass.',
  own_rules: 'The index places documents by other rules, or lets nobody choose their ids.',
  no_primary: 'The shard has no primary at the moment.',
} as const;

export type UnsplitReason = keyof typeof UNSPLIT_REASONS;
export const UNSPLIT_REASON_NAMES = Object.keys(UNSPLIT_REASONS) as readonly UnsplitReason[];
