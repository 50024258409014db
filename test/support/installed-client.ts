import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { startedBy, type Started } from './sandbox-programs.js';

export { untilPrinted, type Started } from './sandbox-programs.js';

/** Not synchronous: a process that stands still does not see the API close a connection, and sends on it. */
const execute = promisify(execFile);

const ROOT = process.cwd();
const PACKAGE = join(ROOT, 'clients/typescript');
/** The package depends on these; they come out of the repository's own folder, so that no registry is asked. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

const INSTALLED: Plugin = {
  name: 'installed',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/src\/index\.js$/ }, () => ({ path: 'payment-collection-client', external: true })),
};

/** The merchant's package as its packed tarball installs it, in a folder that has nothing else. */
export class InstalledClient {
  private readonly started = new Set<ChildProcess>();

  private constructor(readonly folder: string) {}

  static async install(): Promise<InstalledClient> {
    const client = new InstalledClient(mkdtempSync(join(tmpdir(), 'client-package-')));
    const { folder } = client;
    client.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    await installPacked(folder, [PACKAGE]);
    return client;
  }

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  dependencies(): string[] {
    const manifest = readFileSync(
      join(this.folder, 'node_modules/payment-collection-client/package.json'),
      'utf8',
    );
    return Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies);
  }

  /** @returns what the compiler has against a program, with the types of Node beside those of the package */
  async compile(program: string): Promise<string> {
    const file = this.write('program.ts', program);
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node'.split(
      ' ',
    );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const run = execute(process.execPath, [compiler, ...options, ...types, file], { cwd: this.folder });
    return run.then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Writes a program of the package's tests, which imports the installed package in place of its source. @returns its file */
  async writeBundled(name: string): Promise<string> {
    const file = join(this.folder, `${name}.mjs`);
    await build({
      ...{ entryPoints: [join(PACKAGE, 'test/support', `${name}.ts`)], outfile: file, bundle: true },
      ...{ platform: 'node', format: 'esm', logLevel: 'error', plugins: [INSTALLED] },
    });
    return file;
  }

  run(args: readonly string[], environment: Record<string, string> = {}): Started {
    const started = startProgram(process.execPath, args, this.folder, environment);
    this.started.add(started.process);
    started.process.once('close', () => this.started.delete(started.process));
    return started;
  }

  command(...args: string[]): Started {
    return this.commandBy({}, ...args);
  }

  commandBy(environment: Record<string, string>, ...args: string[]): Started {
    return this.run([join('node_modules', '.bin', 'payment-collection'), ...args], environment);
  }

  async remove(): Promise<void> {
    for (const child of this.started) child.kill('SIGKILL');
    await waitUntil(() => this.started.size === 0, { timeoutMs: 60_000 });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts a program that has of this process's environment no more than where programs are. */
export function startProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Record<string, string>,
): Started {
  const env = { PATH: process.env['PATH'], ...environment };
  return startedBy(spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** With an empty cache, and nothing of the npm that runs the tests. @param home where it keeps what it keeps */
async function npm(home: string, cwd: string, ...args: string[]): Promise<void> {
  const { npm_execpath: cli, PATH = '' } = process.env;
  const [command, ...first] = cli === undefined ? ['npm'] : [process.execPath, cli];
  const env = {
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    HOME: home,
    npm_config_cache: join(home, '.npm'),
    npm_config_update_notifier: 'false',
  };
  await execute(command!, [...first, ...args, '--silent', '--no-audit', '--no-fund'], { cwd, env });
}

/** Puts what the package depends on into a folder, as tarballs out of the repository's own modules: no registry is asked. */
export async function packDependencies(folder: string): Promise<void> {
  const folders = DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name));
  await npm(folder, folder, 'pack', '--ignore-scripts', '--pack-destination', folder, ...folders);
}

/** Packs packages of the repository, and installs them into a folder with what they depend on. */
export async function installPacked(folder: string, packages: readonly string[]): Promise<void> {
  for (const one of packages) await npm(folder, one, 'pack', '--pack-destination', folder);
  await packDependencies(folder);
  await installTarballs(folder);
}

export async function installTarballs(folder: string): Promise<void> {
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const paths = tarballs.map((name) => `./${name}`);
  await npm(folder, folder, 'install', '--offline', '--ignore-scripts', ...paths);
}
