import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from '@jest/globals';
// @ts-expect-error A script has no types.
import { BENCH, NEAR, REST } from '../../scripts/run-jest.mjs';
// @ts-expect-error It has no types either.
import config from '../../jest.config.js';

interface Project {
  readonly displayName: string;
  readonly testMatch: readonly string[];
}

const projects = config.projects as readonly Project[];

/** A file of tests is named `<subject>.<kind>.ts`. Files with one of these words in place of the kind are no test files. */
const NO_TESTS = ['suite', 'd', 'testing'];
const FOLDERS = [
  ...['test', 'solidity/test', 'clients/typescript/test', 'clients/checkout-button/test'],
  ...['clients/medusa-payment/test', 'clients/plugin-contract/test', 'clients/vendure-payment/test'],
];
const files = [
  ...globSync('{src,sandbox}/**/*.{spec,int-spec}.{ts,tsx}'),
  ...FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.*.{ts,tsx}`)),
].filter((file) => !NO_TESTS.includes(/\.([^.]+)\.tsx?$/.exec(file)![1]!) && !file.includes('/fixtures/'));

function projectsOf(file: string): string[] {
  return projects
    .filter(({ testMatch }) => testMatch.some((glob) => matchesGlob(file, glob.replace('<rootDir>/', ''))))
    .map(({ displayName }) => displayName);
}

describe('A test file', () => {
  it('belongs to exactly one kind, so that npm run test:all runs it', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  });

  it('runs in CI unless it is a bench', () => {
    expect(projects.map(({ displayName }) => displayName).sort()).toEqual([...NEAR, ...REST, BENCH].sort());
    expect(readFileSync('.ci/run', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['npm test', 'npm run test:all -- --rest']),
    );
  });

  it('starts programs of evidence that exist', () => {
    const started = globSync('test/evidence/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/startProgram\('([^']+)'/g)].map(([, program]) => program!),
    );
    expect(started.length).toBeGreaterThan(10);
    expect(started.filter((program) => !existsSync(`test/evidence/${program}`))).toEqual([]);
  });
});
