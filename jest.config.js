export default {
  roots: ['<rootDir>/packages', '<rootDir>/test', '<rootDir>/tools/src'],
  testMatch: ['**/*.test.ts'],
  // A limit for what hangs, not a measure of speed: continuous integration shares its cores.
  testTimeout: 60_000,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  // Sources import each other with their .ts names; jest resolves those as they are.
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};
