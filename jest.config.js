import { compilerOptions } from './scripts/compiler-options.mjs';
import { joinedPackages } from './test/support/join-packages.mjs';

// The kinds of tests by suffix and folder. docs/contributing/testing.md describes them.
const compiled = (parser) => ['@swc/jest', compilerOptions(parser)];

/** Packages that bring all their modules in one file. */
const IN_ONE_FILE = {
  '^rxjs(/operators)?$': '<rootDir>/node_modules/rxjs/dist/bundles/rxjs.umd.js',
  '^class-validator$': '<rootDir>/node_modules/class-validator/bundles/class-validator.umd.js',
};

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^#test/(.*)\\.js$': '<rootDir>/test/$1',
    '^#sandbox/(.*)\\.js$': '<rootDir>/sandbox/$1',
    '^#client/(.*)\\.js$': '<rootDir>/clients/typescript/src/$1',
    '^payment-collection-client$': '<rootDir>/clients/typescript/src/index.ts',
    '^#(.*)\\.js$': '<rootDir>/src/$1',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...IN_ONE_FILE,
    ...(await joinedPackages()),
  },
  transform: { '\\.ts$': compiled({ tsx: false }), '\\.tsx$': compiled({ tsx: true }) },
  setupFiles: ['reflect-metadata', '<rootDir>/test/support/quiet-log.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.sandbox/', '<rootDir>/clients/.*/dist/'],
};

const database = {
  globalSetup: '<rootDir>/test/support/start-database.ts',
  globalTeardown: '<rootDir>/test/support/stop-database.ts',
};

export default {
  reporters: ['<rootDir>/test/support/failures-only.mjs', '<rootDir>/test/support/time-by-kind.mjs'],
  testSequencer: '<rootDir>/test/support/long-first.mjs',
  // More than the cores of a small machine: what runs real processes waits for them half of its time.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
  // On a busy machine, a worker without open handles also needs more than the default of half a second to exit.
  workerGracefulExitTimeout: 10_000,
  // A limit for what hangs: nothing is slow by itself, but the machine may be busy.
  testTimeout: 120_000,
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,sandbox,test}/**/*.spec.{ts,tsx}'] },
    {
      ...shared,
      ...database,
      displayName: 'database',
      testMatch: ['<rootDir>/{src,sandbox,test}/**/!(*-plans).int-spec.ts'],
    },
    { ...shared, displayName: 'chain', testMatch: ['<rootDir>/{solidity/test,test/chain}/*.test.ts'] },
    { ...shared, displayName: 'client', testMatch: ['<rootDir>/clients/*/test/*.test.ts'] },
    { ...shared, ...database, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/*.e2e.ts'] },
    { ...shared, ...database, displayName: 'pages', testMatch: ['<rootDir>/test/pages/*.e2e.ts'] },
    { ...shared, ...database, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.fault.ts'] },
    {
      ...shared,
      ...database,
      displayName: 'long',
      testMatch: [
        '<rootDir>/test/long/*.{e2e,fault}.ts',
        '<rootDir>/solidity/test/long/*.test.ts',
        // Plans of statements over large tables.
        '<rootDir>/src/**/*-plans.int-spec.ts',
      ],
    },
    { ...shared, ...database, displayName: 'evidence', testMatch: ['<rootDir>/test/evidence/*.evidence.ts'] },
    { ...shared, ...database, displayName: 'bench', testMatch: ['<rootDir>/test/evidence/*.bench.ts'] },
  ],
};
