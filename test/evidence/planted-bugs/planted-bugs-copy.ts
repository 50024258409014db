import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { NamedTest, PlantedBug } from './planted-bug.js';

const COPIED = [
  'src',
  'test',
  'scripts',
  'migrations',
  'solidity',
  'jest.config.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Jest's report says this of a test. */
interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** How many times the text to be replaced stands in its file. */
export function occurrences({ file, find }: PlantedBug, root: string): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

/** An expectation that did not hold, in Jest's words, rather than a mistake that threw on the way there. */
export function isAssertion(failure: string): boolean {
  return /^(\w*Error: )?expect\(/.test(failure);
}

/** A copy of the project outside of it, where bugs are planted and pulled out again. */
export class CopiedProject {
  private constructor(private readonly root: string) {}

  static of(project: string): CopiedProject {
    const root = mkdtempSync(join(tmpdir(), 'planted-bugs-'));
    for (const name of COPIED) cpSync(join(project, name), join(root, name), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
    return new CopiedProject(root);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  async with<T>({ file, find, replace }: PlantedBug, work: () => Promise<T>): Promise<T> {
    const path = join(this.root, file);
    const sound = readFileSync(path, 'utf8');
    // A function, since `$` means something in a replacement text.
    writeFileSync(
      path,
      sound.replace(find, () => replace),
    );
    try {
      return await work();
    } finally {
      writeFileSync(path, sound);
    }
  }

  /**
   * Runs these tests of one project alone; of one with a table, all of its cases.
   * @returns the first line of what each says that fails
   */
  async run(...tests: readonly NamedTest[]): Promise<string[]> {
    const report = join(this.root, 'report.json');
    rmSync(report, { force: true });
    const names = tests.map(({ name }) => pattern(name));
    const jest = spawn(
      process.execPath,
      [
        ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
        'node_modules/jest/bin/jest.js',
        '--runInBand',
        ...['--selectProjects', tests[0]!.project, '--cacheDirectory', join(this.root, '.jest')],
        ...['--json', '--outputFile', report, '--testNamePattern', `(${names.join('|')})$`],
        ...['--', ...new Set(tests.map(({ file }) => file))],
      ],
      {
        cwd: this.root,
        stdio: ['ignore', 'ignore', 'pipe'],
        // The server of this very run, so that none is started for each; every one has a template of its own there.
        env: { ...process.env, TEST_DATABASE_URL: process.env['TEST_SERVER_URL'] },
      },
    );
    let printed = '';
    jest.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(jest, 'close');
    const ran = resultsIn(report).filter(({ status }) => status === 'passed' || status === 'failed');
    const missing = names.filter((name) => !ran.some(({ title }) => new RegExp(`^${name}$`).test(title)));
    if (missing.length > 0) throw new Error(`It did not run: ${missing.join(', ')}\n${printed}`);
    return ran.flatMap(({ failureMessages: [first] }) => (first === undefined ? [] : firstLine(first)));
  }
}

/** None where Jest did not come so far as to write one. */
function resultsIn(report: string): TestResult[] {
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[];
  };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

function pattern(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/%[sdp]/g, '.*');
}

function firstLine(message: string): string {
  return stripVTControlCharacters(message).split('\n', 1)[0]!;
}
