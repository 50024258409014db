import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { ApiClient } from '../support/api-client.js';
import { spawnChild, waitUntil, type RunningChild } from '#sandbox/processes/child-process.js';
import { removeEmbeddedPostgres } from '#sandbox/postgres/embedded-postgres.js';
import { compileCache } from '../support/compile-cache.js';
import { GENEROUS_LIMITS } from '../support/generous-limits.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { PayerWallet } from '#sandbox/payer/payer-wallet.js';
import { SandboxFolder, type SandboxAsset, type SandboxFile } from '#sandbox/folder/sandbox-folder.js';
import { fastFolder } from '../support/fast-folder.js';
import { allGone, childrenOf } from '../support/sandbox-programs.js';

/** The parts of a sandbox: what each one's command line contains, by the name that the sandbox calls it. */
const PARTS = {
  api: { command: 'dist/main.js', name: 'The API' },
  worker: { command: 'dist/worker.js', name: 'The worker' },
  postgres: { command: 'bin/postgres', name: 'PostgreSQL' },
  chain: { command: 'bin/anvil', name: 'The chain' },
};

export type PartName = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as PartName[];
/** Generous: a small machine may run other suites beside this one. Milliseconds. */
const UP_WITHIN = 120_000;

/** `npm start` in a folder of its own, with every part at hand to be killed. It does not outlive the test. */
export class KillableSandbox {
  readonly folder: SandboxFolder;
  private sandbox: RunningChild | undefined;
  private pool: pg.Pool | undefined;

  private constructor(
    private readonly home: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.folder = new SandboxFolder(join(home, 'world'));
  }

  /**
   * @param settings as in `.env.example`
   * @param release folder with the built programs to run
   */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    release = process.cwd(),
  ): Promise<KillableSandbox> {
    const home = mkdtempSync(join(fastFolder(), 'faults-'));
    // PostgreSQL may have to run as another user than this test.
    chmodSync(home, 0o755);
    const sandbox = new KillableSandbox(home, {
      PATH: process.env['PATH'] ?? '',
      ...compileCache(),
      ...GENEROUS_LIMITS,
      ...settings,
      SANDBOX_DIRECTORY: join(home, 'world'),
      SANDBOX_POSTGRES_PORT: String(await freePort()),
      SANDBOX_CHAIN_PORT: String(await freePort()),
      SANDBOX_WALLET_PORT: String(await freePort()),
      HTTP_PORT: String(await freePort()),
    });
    await sandbox.start(release).catch(async (error: unknown) => {
      await sandbox.end();
      throw error;
    });
    return sandbox;
  }

  async start(release = process.cwd()): Promise<void> {
    const from = this.printed().length;
    const args = [join(release, 'dist', 'sandbox.js')];
    const { env, logFile } = this;
    this.sandbox = await spawnChild({
      command: process.execPath,
      args,
      env,
      logFile,
      deathSignal: 'SIGKILL',
    });
    const { hasExited } = this.sandbox;
    const isUp = () => this.printed().includes('The sandbox is running', from);
    await waitUntil(() => isUp() || hasExited(), { timeoutMs: UP_WITHIN, everyMs: 50 });
    if (!isUp()) throw new Error(`The sandbox did not start:\n${this.printed().slice(from)}`);
  }

  get file(): SandboxFile {
    return this.folder.read()!;
  }

  get chainUrl(): string {
    return this.file.networks[0]!.rpc_url;
  }

  get usdc(): SandboxAsset {
    return this.file.networks[0]!.assets[0]!;
  }

  api(): ApiClient {
    const { api_url, api_key, api_secret } = this.file;
    return new ApiClient(api_url, { apiKey: api_key, apiSecret: api_secret });
  }

  wallet(): PayerWallet {
    return new PayerWallet(this.chainUrl, this.file.payer!);
  }

  /** Straight from the database, past the service. @throws Error while the database is down */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.pool === undefined) {
      this.pool = new pg.Pool({ connectionString: this.databaseUrl, max: 2 });
      this.pool.on('error', () => undefined);
    }
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** A connection of its own, to hold locks with as another replica would. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  pidOf(part: PartName): number | undefined {
    const isIt = ({ command }: { command: string }) => command.includes(PARTS[part].command);
    return childrenOf(this.sandbox!.pid).find(isIt)?.pid;
  }

  /**
   * SIGKILL.
   * @returns what waits until the sandbox has it running again, and answers after how many milliseconds
   */
  kill(part: PartName): () => Promise<number> {
    const pid = this.pidOf(part);
    if (pid === undefined) throw new Error(`${PARTS[part].name} does not run.`);
    const from = this.printed().length;
    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    return async () => {
      const words = `${PARTS[part].name} is running again.`;
      const isBack = () => this.printed().includes(words, from);
      if (!(await waitUntil(isBack, { timeoutMs: UP_WITHIN }))) {
        throw new Error(`${PARTS[part].name} did not come back:\n${this.printed().slice(from)}`);
      }
      return performance.now() - killedAt;
    };
  }

  /** SIGKILL to all parts, their children and the sandbox itself, before any of them can notice another's end. */
  async killEverything(): Promise<void> {
    const parts = PART_NAMES.map((part) => this.pidOf(part)!);
    const postgresSessions = childrenOf(this.pidOf('postgres')!).map(({ pid }) => pid);
    const all = [...parts, ...postgresSessions, this.sandbox!.pid];
    for (const pid of all) killIfAlive(pid);
    if (!(await allGone(all, 30_000))) throw new Error('Something survived SIGKILL.');
    await this.sandbox!.exit;
  }

  log(part: 'api' | 'worker'): string {
    return readFileSync(join(this.folder.logs, `${part}.log`), 'utf8');
  }

  /** `npm run operator`. @returns what it wrote, on standard error where there is nothing else */
  operator(...words: string[]): Promise<{ exitCode: number; answer: string }> {
    const args = [join(process.cwd(), 'dist', 'cli.js'), ...words];
    const env = { PATH: this.env['PATH']!, ...compileCache(), ...this.serviceEnvironment };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, cwd: '/' }, (error, stdout, stderr) =>
        resolve({ exitCode: Number(error?.code ?? 0), answer: stdout || stderr }),
      );
    });
  }

  async verify(): Promise<{ exitCode: number; broken: unknown }> {
    const { exitCode, answer } = await this.operator('verify', '--json');
    const { broken = answer } = (exitCode < 2 ? JSON.parse(answer) : {}) as { broken?: unknown };
    return { exitCode, broken };
  }

  async stop(): Promise<void> {
    await this.pool?.end();
    this.pool = undefined;
    await this.sandbox?.end('SIGTERM', 60_000);
  }

  /** Stops it, and deletes its folder. @returns the command lines of processes it left behind */
  async end(): Promise<string[]> {
    await this.stop();
    // Those that were killed may still be about to end.
    await waitUntil(() => processesOf(this.home).length === 0, { timeoutMs: 60_000 });
    const left = processesOf(this.home);
    removeEmbeddedPostgres(this.folder.postgres);
    rmSync(this.home, { recursive: true, force: true });
    return left;
  }

  private get logFile(): string {
    return join(this.home, 'sandbox.log');
  }

  /** Settings of its service's processes. */
  get serviceEnvironment(): Record<string, string> {
    return parseEnv(readFileSync(this.folder.serviceEnvironment, 'utf8')) as Record<string, string>;
  }

  private get databaseUrl(): string {
    return this.serviceEnvironment['DATABASE_URL']!;
  }

  private printed(): string {
    try {
      return readFileSync(this.logFile, 'utf8');
    } catch {
      return '';
    }
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Reads `/proc`, so on Linux alone. @returns command lines of processes that work in the folder or were started with its path */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const known = command + readFileSync(`/proc/${pid}/environ`, 'utf8');
        return known.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ? [command] : [];
      } catch {
        return [];
      }
    });
}
