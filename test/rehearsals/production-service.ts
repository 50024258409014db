import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { sandboxNetworkConfiguration } from '#sandbox/chain/sandbox-chain.js';
import type { RunningChild } from '#sandbox/processes/child-process.js';
import { eventually } from '../support/eventually.js';
import type { Programs } from './production-programs.js';

/** The sandbox's own name is refused outside development. */
export const REHEARSED_NETWORK = 'rehearsal';

interface Place {
  readonly programs: Programs;
  /** For settings and logs. */
  readonly folder: string;
  readonly publicUrl: string;
  readonly chainUrl: string;
  readonly chainId: number;
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly authority: string;
  /** Every process has these settings, over those of the place. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The image's programs, with the settings of a production server and nothing else in their environment. */
export class ProductionService {
  readonly gasAddress: `0x${string}`;
  private readonly environment: Record<string, string>;
  private readonly workerOnly: Record<string, string>;
  private readonly processes: RunningChild[] = [];

  private constructor(
    private readonly place: Place,
    naspipKey: string,
  ) {
    const { folder, publicUrl, chainUrl, chainId } = place;
    const ring = () => `key-1:${randomBytes(32).toString('base64url')}`;
    const [networks, gasKey] = [join(folder, 'networks.json'), join(folder, 'gas-key')];
    const [entry] = sandboxNetworkConfiguration(chainUrl) as [object];
    writeFileSync(
      networks,
      JSON.stringify([
        { ...entry, network: REHEARSED_NETWORK, chain_id: chainId, single_endpoint: 'accepted' },
      ]),
    );
    const key = generatePrivateKey();
    writeFileSync(gasKey, key, { mode: 0o600 });
    this.gasAddress = privateKeyToAddress(key);
    this.workerOnly = { GAS_KEY_FILE: gasKey };
    this.environment = {
      ...{ PATH: process.env['PATH']!, NODE_ENV: 'production', NODE_EXTRA_CA_CERTS: place.authority },
      ...{ SERVICE_ENV: 'production', PUBLIC_URL: publicUrl },
      ...{ TRUSTED_PROXIES: '127.0.0.1/32', DATABASE_URL: place.databaseUrl, NETWORKS_FILE: networks },
      ...{ TOKEN_SIGNING_KEYS: ring(), WEBHOOK_SECRET_KEYS: ring(), DASHBOARD_SECRET_KEYS: ring() },
      ...{ NASPIP_ISSUER: 'rehearsal.example', NASPIP_KEY_ID: 'rehearsal-1', NASPIP_SECRET_KEY: naspipKey },
      ...{ NASPIP_KEY_EXPIRES_AT: new Date(Date.now() + 86_400_000).toISOString(), RATE_SOURCES: 'none' },
      // Nobody listens there: mails wait in the outbox.
      ...{ SMTP_URL: 'smtps://nobody:nothing@127.0.0.1:1', MAIL_FROM: 'payments@rehearsal.example' },
      ...place.settings,
    };
  }

  static async prepare(place: Place): Promise<ProductionService> {
    const made = await place.programs.run(['naspip-key', 'create', '--json'], {});
    const { secret_key: key } = JSON.parse(made) as { secret_key: string };
    return new ProductionService(place, key);
  }

  /** For programs that start from now on. @param settings undefined takes one away */
  set(settings: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(settings)) {
      if (value === undefined) delete this.environment[name];
      else this.environment[name] = value;
    }
  }

  /** Another key pays for gas from the next start of a worker on. @returns its address */
  replaceGasKey(): `0x${string}` {
    const [file, key] = [join(this.place.folder, 'gas-key-2'), generatePrivateKey()];
    writeFileSync(file, key, { mode: 0o600 });
    this.workerOnly['GAS_KEY_FILE'] = file;
    return privateKeyToAddress(key);
  }

  /** The ring of a setting with another key behind the present ones. */
  ringWithNew(setting: string): string {
    return `${this.environment[setting]},key-2:${randomBytes(32).toString('base64url')}`;
  }

  /** An operator's command. @throws Error with what it wrote */
  async operator<Data>(...words: string[]): Promise<Data> {
    const env = { ...this.environment, ...this.workerOnly };
    return JSON.parse(await this.place.programs.run([...words, '--json'], env)) as Data;
  }

  /** Migrates as the role that owns the tables. @param settings in place of the service's own */
  async migrate(settings: Record<string, string> = {}): Promise<void> {
    const own = { MIGRATION_DATABASE_URL: this.place.ownerUrl, ...settings };
    await this.place.programs.run(['migrate', '--yes'], { ...this.environment, ...own });
  }

  /** @returns how many invariants hold @throws Error that names those that do not */
  async verified(): Promise<number> {
    const { invariants, broken } = await this.operator<{ invariants: number; broken: unknown[] }>('verify');
    if (broken.length > 0) throw new Error(JSON.stringify(broken));
    return invariants;
  }

  /** Resolves when the API is healthy. */
  async startApi(httpPort: number): Promise<RunningChild> {
    const api = await this.startProgram('main', { HTTP_PORT: String(httpPort) });
    const health = `http://127.0.0.1:${httpPort}/health`;
    await eventually(async () => (await fetch(health).catch(() => undefined))?.ok === true);
    return api;
  }

  startWorker(): Promise<RunningChild> {
    return this.startProgram('worker', this.workerOnly);
  }

  private async startProgram(name: 'main' | 'worker', more: Record<string, string>): Promise<RunningChild> {
    const { programs, folder } = this.place;
    const logFile = join(folder, `${name}.log`);
    const started = await programs.start(name, { ...this.environment, ...more }, logFile);
    this.processes.push(started);
    return started;
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.end('SIGTERM', 30_000)));
  }
}
