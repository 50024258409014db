import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '#sandbox/processes/free-port.js';
import { compileCache } from '../compile-cache.js';
import { installTarballs, packDependencies } from '../installed-client.js';
import { SandboxWorld } from '../sandbox-world.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { followPage, GUIDES } from './follow-page.js';
import { GuideShell } from './guide-shell.js';

const ROOT = process.cwd();
/** Guides read these of a clone, or of the client's build. The client is copied, since others may be building it. */
const LINKED = [
  ...['dist', 'docs', 'node_modules', 'openapi', '.env.example', 'LICENSE', 'package.json'],
  'clients/plugin-contract',
];
const COPIED = ['package.json', 'build.mjs', 'tsconfig.json', 'src'].map((name) =>
  join('clients/typescript', name),
);
/** In place of `scripts/run.mjs`, which installs and builds first: what is built is what is tested. */
const RUN = `process.argv.splice(1, 1);
await import(new URL(process.argv[1], ${JSON.stringify(`file://${ROOT}/`)}));
`;

export const INDEX = 'README.md';
/** The rehearsals of a shop follow these pages beside the shop's server. */
export const [FOR_MEDUSA, FOR_VENDURE] = ['medusa.md', 'vendure.md'];
/** Before the end of a month, within which a guide on a month would see two. */
const NEAR_MS = 20 * 60_000;

export function guidePages(): string[] {
  return readdirSync(GUIDES).filter((name) => name.endsWith('.md'));
}

/** A running sandbox, the clone that it was started in, an empty folder of a merchant, and an empty database. */
export class GuideWorld {
  private readonly shells: GuideShell[] = [];
  private hasLeft = false;

  private constructor(
    readonly sandbox: SandboxWorld,
    private readonly database: TestDatabase,
    private readonly port: number,
  ) {}

  static async start(): Promise<GuideWorld> {
    const [sandbox, database] = await Promise.all([SandboxWorld.make(), createTestDatabase('template0')]);
    const world = new GuideWorld(sandbox, database, await freePort());
    try {
      mkdirSync(world.shop);
      world.makeClone();
      // The sandbox first: on a busy machine it has no time to share.
      await sandbox.startFast();
      await world.installDependencies();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  private get shop(): string {
    return join(this.sandbox.home, 'shop');
  }

  private get clone(): string {
    return join(this.sandbox.home, 'clone');
  }

  async follow(page: string): Promise<void> {
    if (page !== INDEX) await this.leaveMonthsEnd();
    const shell = new GuideShell(this.shop, this.environment());
    this.shells.push(shell);
    await followPage(page, this.shop, shell);
  }

  async stop(): Promise<void> {
    await Promise.all(this.shells.map((shell) => shell.end()));
    await this.sandbox.remove();
    await this.database.drop();
  }

  private async leaveMonthsEnd(): Promise<void> {
    const [now, soon] = [new Date(), new Date(Date.now() + NEAR_MS)];
    if (this.hasLeft || now.getUTCMonth() === soon.getUTCMonth()) return;
    this.hasLeft = true;
    await this.sandbox.run('cli.js', ['clock', 'advance', '1h', '--yes']).ended;
  }

  private makeClone(): void {
    const { clone } = this;
    mkdirSync(join(clone, 'scripts'), { recursive: true });
    writeFileSync(join(clone, 'scripts/run.mjs'), RUN);
    for (const path of COPIED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(clone, name));
    symlinkSync(this.sandbox.directory, join(clone, '.sandbox'));
  }

  /** Installs the client's dependencies from files, so that `npm install` asks no registry for them. */
  private async installDependencies(): Promise<void> {
    await packDependencies(this.shop);
    await installTarballs(this.shop);
    for (const name of readdirSync(this.shop).filter((each) => each.endsWith('.tgz')))
      rmSync(join(this.shop, name));
  }

  private environment(): Record<string, string> {
    const { HOME = '', PATH = '' } = process.env;
    return {
      ...compileCache(),
      ...{ HOME, PATH: [dirname(process.execPath), PATH].join(delimiter) },
      ...{ REPOSITORY: this.clone, SHOP: this.shop, PORT: String(this.port) },
      PRODUCTION_DATABASE_URL: this.database.url,
      ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false' },
    };
  }
}
