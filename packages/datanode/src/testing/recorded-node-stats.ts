// Stats of a real OpenSearch 2.19.6 node as an agent asks for them, recorded after a few bulks.

export const RECORDED_NODE = {
  name: 'n1',
  os: { timestamp: 1796051013853, cpu: { percent: 100 } },
  jvm: {
    mem: {
      heap_used_in_bytes: 308079672,
      heap_max_in_bytes: 536870912,
      pools: {
        old: {
          used_in_bytes: 16914944,
          max_in_bytes: 536870912,
          peak_used_in_bytes: 16914944,
          peak_max_in_bytes: 536870912,
          last_gc_stats: { used_in_bytes: 0, max_in_bytes: 536870912, usage_percent: 0 },
        },
      },
    },
  },
  thread_pool: { write: { threads: 2, queue: 0, active: 0, rejected: 0, largest: 2, completed: 3 } },
  fs: {
    timestamp: 1796051013854,
    total: { available_in_bytes: 82405269504 },
    io_stats: { total: { io_time_in_millis: 75588 } },
  },
};

export const RECORDED_STATS = { nodes: { D5Pfrzj3QIa6dKdAU9G0EA: RECORDED_NODE } };
