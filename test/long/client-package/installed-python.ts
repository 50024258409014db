import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProgram, type Started } from '#test/support/installed-client.js';
import { makeEnvironment, pythonTools, runPython } from './python-tools.js';

const ROOT = process.cwd();
export const PACKAGE = join(ROOT, 'clients/python');
/** A build reads these, and the license. */
const SOURCES = ['build.py', 'pyproject.toml', 'README.md', 'src'];

/** The package as its wheel installs it, in an environment that has nothing else, and the tools of its folder beside. */
export class InstalledPython {
  private readonly started: Started[] = [];

  private constructor(
    readonly folder: string,
    private readonly tools: string,
  ) {}

  static async install(): Promise<InstalledPython> {
    const folder = mkdtempSync(join(tmpdir(), 'python-package-'));
    const installed = new InstalledPython(folder, await pythonTools());
    mkdirSync(installed.empty);
    await makeEnvironment(join(folder, 'shop'));
    // A build writes into its folder, and other tests read the repository's.
    const copy = join(folder, 'clients/python');
    for (const name of SOURCES) cpSync(join(PACKAGE, name), join(copy, name), { recursive: true });
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    await installed.tool(join(copy, 'build.py'));
    const wheels = globSync(join(copy, 'dist/*.whl'));
    await installed.tool('-m', 'pip', '--python', installed.interpreter, 'install', '--quiet', ...wheels);
    rmSync(join(folder, 'clients'), { recursive: true });
    return installed;
  }

  /** An empty folder, where programs run: nothing of the repository can be imported from there. */
  get empty(): string {
    return join(this.folder, 'empty');
  }

  get interpreter(): string {
    return join(this.folder, 'shop/bin/python');
  }

  /** Keeps what mypy knows of the standard library from run to run. */
  get typeCache(): string {
    return join(dirname(this.tools), '..', 'type-cache');
  }

  tool(...args: string[]): Promise<string> {
    return runPython(this.tools, args, this.empty);
  }

  toolOnPackage(...args: string[]): Promise<string> {
    const [packages] = globSync(join(this.folder, 'shop/lib/python*/site-packages'));
    return runPython(this.tools, args, this.empty, { PYTHONPATH: packages! });
  }

  write(name: string, text: string): string {
    const file = join(this.empty, name);
    writeFileSync(file, text);
    return file;
  }

  run(file: string, environment: Record<string, string>): Started {
    const started = startProgram(this.interpreter, ['-u', file], this.empty, environment);
    this.started.push(started);
    return started;
  }

  async remove(): Promise<void> {
    for (const { process: child } of this.started) child.kill('SIGKILL');
    await Promise.all(this.started.map(({ ended }) => ended));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
