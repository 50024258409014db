import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild, waitUntil, type RunningChild } from '#sandbox/processes/child-process.js';
import { compileCache } from '#test/support/compile-cache.js';
import { installPacked } from '#test/support/installed-client.js';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.js';
import { installServer, SHOP } from './medusa-install.js';

/** An entry of the provider in Medusa's configuration. */
export interface ProviderEntry {
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
}
/** The ids and keys of what is sold. */
export interface SeededShop {
  readonly regionId: string;
  readonly shippingOptionId: string;
  readonly variantId: string;
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}
interface StartOptions {
  /** The job that catches up runs every second. */
  readonly catchesUp?: boolean;
}

/** Medusa runs every job that is there. */
const JOBS = 'src/jobs';
const PACKAGES = ['clients/typescript', 'clients/medusa-payment'].map((name) => join(process.cwd(), name));

/** A real Medusa server with a database of its own, and the provider as its packed tarball installs it. */
export class MedusaShop {
  seeded!: SeededShop;
  private process: RunningChild | undefined;

  private constructor(
    readonly folder: string,
    /** The installation of Medusa. */
    readonly modules: string,
    private readonly port: number,
    readonly database: TestDatabase,
  ) {}

  /** @param port where it listens: the service's webhooks name it before it runs */
  static async make(port: number): Promise<MedusaShop> {
    const installed = await installServer('medusa', SHOP);
    const shops = join(installed, 'shops');
    mkdirSync(shops, { recursive: true });
    // Below the installation, so that Node finds Medusa's packages there, and no others.
    const folder = mkdtempSync(join(shops, 'shop-'));
    cpSync(SHOP, folder, {
      recursive: true,
      filter: (path) => !path.includes('package') && !path.endsWith(JOBS),
    });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    // Medusa stands above.
    writeFileSync(join(folder, '.npmrc'), 'legacy-peer-deps=true\n');
    await installPacked(folder, PACKAGES);
    // Its command line runs in the folder of a package that names Medusa.
    cpSync(join(SHOP, 'package.json'), join(folder, 'package.json'));
    const database = await createTestDatabase('template0');
    return new MedusaShop(folder, join(installed, 'node_modules'), port, database);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The program `medusa`. */
  get commandLine(): string {
    return join(this.modules, '@medusajs/cli/cli.js');
  }

  /** Makes the tables and something to sell. */
  async furnish(providers: readonly ProviderEntry[]): Promise<void> {
    const file = join(this.folder, 'seeded.json');
    const environment = { ...this.environment(providers), SEEDED: file };
    for (const args of [['db:migrate'], ['exec', './src/scripts/seed.js']]) {
      const { code } = await (await this.spawn(args, environment)).exit;
      if (code !== 0) throw new Error(`medusa ${args[0]} ended with ${code}:\n${this.log()}`);
    }
    this.seeded = JSON.parse(readFileSync(file, 'utf8')) as SeededShop;
  }

  async start(providers: readonly ProviderEntry[], options: StartOptions = {}): Promise<void> {
    if (options.catchesUp) cpSync(join(SHOP, JOBS), join(this.folder, JOBS), { recursive: true });
    const child = await this.spawn(['start'], this.environment(providers));
    this.process = child;
    const answers = () =>
      fetch(`${this.url}/health`).then(
        ({ ok }) => ok,
        () => child.hasExited(),
      );
    await waitUntil(answers, { timeoutMs: 120_000, everyMs: 50 });
    if (child.hasExited()) throw new Error(`Medusa did not start:\n${this.log()}`);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.process?.end('SIGKILL');
    this.process = undefined;
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  log(): string {
    return readFileSync(join(this.folder, 'medusa.log'), 'utf8');
  }

  private spawn(args: readonly string[], env: Record<string, string>): Promise<RunningChild> {
    const enter = `data:text/javascript,process.chdir(${JSON.stringify(this.folder)})`;
    return spawnChild({
      command: process.execPath,
      args: ['--import', enter, this.commandLine, ...args],
      deathSignal: 'SIGKILL',
      logFile: join(this.folder, 'medusa.log'),
      env,
    });
  }

  environment(providers: readonly ProviderEntry[]): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.folder,
      ...compileCache(),
      NODE_ENV: 'production',
      MEDUSA_DISABLE_TELEMETRY: 'true',
      PORT: String(this.port),
      DATABASE_URL: this.database.url,
      PROVIDERS: JSON.stringify(providers),
    };
  }
}
