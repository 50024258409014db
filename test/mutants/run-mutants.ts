// Runs the tests that each mutant names on a copy of the project with that mutant: `npm run mutants -- ledger --jobs 2`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import startDatabase from '../support/start-database.js';
import stopDatabase from '../support/stop-database.js';
import { mutate, type Mutant, readMutants } from './mutants.js';

const ROOT = process.cwd();
const COPIED = ['src', 'sandbox', 'test', 'scripts', 'migrations', 'solidity', 'clients', 'openapi', 'docs'];
const FILES = ['jest.config.js', 'package.json', 'package-lock.json', 'tsconfig.json'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string', default: '1' } },
});

interface Outcome {
  readonly caught: boolean;
  readonly seconds: number;
}

/** A copy of the project in which one mutant at a time replaces the original lines. */
class ProjectCopy {
  private readonly root = mkdtempSync(join(tmpdir(), 'mutants-'));

  constructor() {
    for (const name of [...COPIED, ...FILES])
      cpSync(join(ROOT, name), join(this.root, name), { recursive: true });
    for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(this.root, name));
  }

  async run(mutant: Mutant): Promise<Outcome> {
    const path = join(this.root, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, mutate(source, mutant));
    try {
      const begun = Date.now();
      return { caught: !(await this.passes(mutant.tests)), seconds: (Date.now() - begun) / 1_000 };
    } finally {
      writeFileSync(path, source);
    }
  }

  /** True if all tests of these files pass. */
  async passes(tests: readonly string[]): Promise<boolean> {
    const jest = spawn(
      process.execPath,
      [
        ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
        ...['node_modules/jest/bin/jest.js', '--runInBand', '--bail', '--silent'],
        ...['--cacheDirectory', join(this.root, '.jest'), '--', ...tests],
      ],
      {
        cwd: this.root,
        stdio: 'ignore',
        // The server of this run, so that none is started for each mutant.
        env: { ...process.env, TEST_DATABASE_URL: process.env['TEST_SERVER_URL'] },
      },
    );
    const [code] = (await once(jest, 'close')) as [number];
    return code === 0;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function isChosen({ name, file, tests }: Mutant): boolean {
  const texts = [name, file, ...tests];
  return positionals.length === 0 || positionals.some((word) => texts.some((text) => text.includes(word)));
}

const chosen = readMutants(ROOT).filter(isChosen);
const open = chosen.filter(({ tests }) => tests.length > 0);
if (open.length === 0)
  throw new Error('No mutant with a test has one of these words in its name or its paths.');
const missed: string[] = [];
await startDatabase();
const copies = Array.from({ length: Number(values.jobs) }, () => new ProjectCopy());
try {
  const tests = [...new Set(open.flatMap((mutant) => mutant.tests))];
  if (!(await copies[0]!.passes(tests))) throw new Error('Tests that mutants name fail without a mutant.');
  const left = [...open];
  const work = async (copy: ProjectCopy) => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const { caught, seconds } = await copy.run(mutant);
      if (!caught) missed.push(mutant.name);
      process.stdout.write(
        `${caught ? 'caught' : 'MISSED'}  ${seconds.toFixed(0).padStart(3)} s  ${mutant.name}\n`,
      );
    }
  };
  await Promise.all(copies.map(work));
} finally {
  for (const copy of copies) copy.remove();
  await stopDatabase();
}
process.stdout.write(
  `${open.length - missed.length} of ${chosen.length} mutants caught; ${chosen.length - open.length} name no test.\n` +
    missed.map((name) => `MISSED: ${name}\n`).join(''),
);
process.exit(missed.length === 0 ? 0 : 1);
