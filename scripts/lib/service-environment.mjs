// The environment of one service of a cluster that runs on this machine.

/** Variables of the terminal that are not Weir's, what was given to Weir as a whole, and the service's own place. */
export function serviceEnvironment(variables, place) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_'));
  const own = Object.entries({ ...variables, ...place }).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...inherited, ...own.map(([name, value]) => [name, String(value)])]);
}

/** Those of `variables` that every service knows. */
export async function commonVariables(variables) {
  const { baseOptions, factsOf, variableOf } = await import('../../packages/shared/dist/index.js');
  const common = new Set(
    Object.values(baseOptions({ httpPort: 0, dataDir: '' })).map((schema) => variableOf(factsOf(schema))),
  );
  return Object.fromEntries(Object.entries(variables).filter(([name]) => common.has(name)));
}
