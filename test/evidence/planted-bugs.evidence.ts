import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NamedTest } from './planted-bugs/planted-bug.js';
import { CopiedProject, isAssertion, occurrences } from './planted-bugs/planted-bugs-copy.js';
import { bugsInAuthorizations } from './planted-bugs/planted-bugs-in-authorizations.js';
import { bugsInDeciding } from './planted-bugs/planted-bugs-in-deciding.js';
import { bugsInFloodsOfLogs } from './planted-bugs/planted-bugs-in-floods-of-logs.js';
import { bugsInLinks } from './planted-bugs/planted-bugs-in-links.js';
import { bugsInNumbers } from './planted-bugs/planted-bugs-in-numbers.js';
import { bugsInPending } from './planted-bugs/planted-bugs-in-pending.js';
import { bugsInReading } from './planted-bugs/planted-bugs-in-reading.js';
import { bugsInSums } from './planted-bugs/planted-bugs-in-sums.js';
import { bugsInTrust } from './planted-bugs/planted-bugs-in-trust.js';
import { bugsInVerify } from './planted-bugs/planted-bugs-in-verify.js';

/** The long form, which plants them, is `npm run evidence -- planted-bugs`; the short one keeps their list true. */
const LONG = process.env['EVIDENCE'] === 'long';
const ROOT = process.cwd();
const PER_RUN_MS = 120_000;

const bugs = [
  ...bugsInReading,
  ...bugsInSums,
  ...bugsInFloodsOfLogs,
  ...bugsInTrust,
  ...bugsInDeciding,
  ...bugsInLinks,
  ...bugsInVerify,
  ...bugsInAuthorizations,
  ...bugsInPending,
  ...bugsInNumbers,
];
const tests = [...new Map(bugs.map(({ caughtBy: test }) => [keyOf(test), test])).values()];

function keyOf({ file, name }: NamedTest): string {
  return `${file}: ${name}`;
}

describe('Bugs to be planted', () => {
  it.each(bugs)('have one place in the source: $name', (bug) => {
    expect(bug.replace).not.toBe(bug.find);
    expect(occurrences(bug, ROOT)).toBe(1);
  });

  it.each(tests)('are caught by a test that is there: $name', ({ file, name }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(`'${name}'`)).toHaveLength(2);
  });

  it('have names of their own', () => {
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
  });
});

if (LONG) {
  describe('A planted bug', () => {
    const rows: string[] = [];
    let copy: CopiedProject;
    beforeAll(() => {
      copy = CopiedProject.of(ROOT);
    });
    afterAll(() => {
      copy.remove();
      process.stdout.write(`\n| bug | test | caught |\n|---|---|---|\n${rows.join('\n')}\n\n`);
    });

    it.each(['unit', 'database'] as const)(
      'is not there yet: all of these tests of the %s project pass',
      async (project) => {
        expect(await copy.run(...tests.filter((test) => test.project === project))).toEqual([]);
      },
      10 * PER_RUN_MS,
    );

    it.each(bugs)(
      'is caught: $name',
      async (bug) => {
        const failures = await copy.with(bug, () => copy.run(bug.caughtBy));
        const caught = failures.length > 0 && failures.every(isAssertion);
        rows.push(`| ${bug.name} | ${keyOf(bug.caughtBy)} | ${caught ? 'yes' : 'NO'} |`);
        expect(failures).not.toEqual([]);
        expect(failures.filter((failure) => !isAssertion(failure))).toEqual([]);
      },
      PER_RUN_MS,
    );
  });
}
