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
