// Which package may import which: both services build on shared, never on each other; nobody imports what only tests and tools use.
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle means that two files are one; merge them or move the shared word below both.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'shared-is-the-ground',
      comment: 'shared depends on no other package of this repository.',
      severity: 'error',
      from: { path: '^packages/shared/' },
      to: { path: '^packages/(?!shared/)' },
    },
    {
      name: 'services-never-on-each-other',
      comment: 'coordinator and datanode depend on shared only; standalone alone puts both together.',
      severity: 'error',
      from: { path: '^packages/(coordinator|datanode)/' },
      to: { path: '^packages/', pathNot: '^packages/($1|shared)/' },
    },
    {
      name: 'packages-not-on-their-users',
      comment: 'Tests, benchmarks and tools use the packages, never the other way round.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(test|bench|tools|scripts)/' },
    },
    {
      name: 'no-test-doubles-in-services',
      comment: 'The manual clock and the seeded generator are for tests, simulation and benchmarks.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^packages/shared/src/testing/' },
    },
    {
      name: 'no-tests-imported',
      comment: 'A test file is run, not imported; what several tests need stands in test/support.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that nothing answers, or a package that no package.json names.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared',
      comment:
        'Every package imported stands in the dependencies of the package.json beside it or at the root.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependencies-in-services',
      comment: 'What runs in production is a dependency, not a development dependency.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|\\.d\\.ts$' },
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
