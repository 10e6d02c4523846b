// The documented way to make a cluster refuse everything: limits of 0 that are not weighed by the work waiting.

/** Settings under which a signal refuses everything it is asked for the roles named, on the bare value. */
export function limitZero(signal: string, roles: readonly string[] = ['primary', 'replica']) {
  const limits = roles.flatMap((role) =>
    ['soft', 'hard'].map((edge) => `weir.admission.${signal}.${role}.${edge}`),
  );
  return {
    'weir.admission.corroborate': false,
    'weir.admission.max_shed_ratio': 1,
    ...Object.fromEntries(limits.map((key) => [key, 0])),
  };
}

/** Limit 0 for cpu where other signals look away, and a coordinator refuses on its own account only on a machine that is at 100 %. */
export const CPU_LIMIT_0 = {
  ...limitZero('cpu'),
  'weir.admission.cpu.coordinator.soft': 100,
  'weir.admission.cpu.coordinator.hard': 100,
  'weir.admission.event_loop.mode': 'disabled',
};
