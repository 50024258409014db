import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { ApiClient } from '#test/support/api-client.js';
import { startAnvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import {
  fundGasKey,
  prepareChain,
  SANDBOX_BLOCK_TIME,
  SANDBOX_CHAIN_ID,
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxNetworkConfiguration,
  sandboxPayer,
} from '#sandbox/chain/sandbox-chain.js';
import { PayerWallet, tokenOf } from '#sandbox/payer/payer-wallet.js';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort, freePortBeforeAnother } from '#sandbox/processes/free-port.js';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { readSandboxSettings, type SandboxSettings } from '#sandbox/sandbox-settings.js';
import { ensureGasKey, serviceEnvironment } from '#sandbox/service/service-environment.js';
import type { Seed, SeedOptions } from '#sandbox/service/seed.js';
import { startServiceProcess, serviceProcesses } from '#sandbox/service/service-process.js';
import { forkOff, otherFork } from '../../support/rpc/rpc-fork.js';
import { RpcProxy } from '../../support/rpc/rpc-proxy.js';
import { GENEROUS_LIMITS } from '../../support/generous-limits.js';
import type { Rehearsal } from '../rehearsal.js';

/** A fifth of what holds unless NETWORKS_FILE says otherwise: a network that stands still is refused after a minute. */
const MAX_LAG_SECONDS = 60;
const CONFIRMATIONS = 5;
const FOLDER_MODE = 0o755;

type Part = 'api' | 'worker';

/** A service with its PostgreSQL, its chain behind two endpoints and a receiver of webhooks, each to be taken away. */
export class WatchedWorld {
  readonly processes = new Map<Part, ServerProcess>();
  private readonly pool: pg.Pool;

  private constructor(
    private readonly place: {
      readonly settings: SandboxSettings;
      readonly env: Readonly<Record<string, string>>;
      readonly logs: string;
      readonly startPostgres: () => Promise<EmbeddedPostgres>;
      readonly databaseUrl: string;
    },
    private postgres: EmbeddedPostgres | undefined,
    readonly chain: { readonly url: string; readonly pid: number },
    readonly endpoints: readonly [RpcProxy, RpcProxy],
    readonly receiver: Receiver,
    readonly gasAddress: `0x${string}`,
    readonly seed: Seed,
  ) {
    this.pool = new pg.Pool({ connectionString: place.databaseUrl, max: 2 });
    this.pool.on('error', () => undefined);
  }

  static async start(rehearsal: Rehearsal): Promise<WatchedWorld> {
    const { folder } = rehearsal;
    // PostgreSQL may have to run as another user than this process.
    chmodSync(folder, FOLDER_MODE);
    const [port, dataDirectory] = [await freePort(), join(folder, 'postgres')];
    const startPostgres = () => startEmbeddedPostgres({ dataDirectory, port, durable: false });
    const postgres = await startPostgres();
    rehearsal.atEnd(() => removeEmbeddedPostgres(dataDirectory));
    rehearsal.atEnd(() => postgres.stop());
    const chain = await startAnvil({ port: await freePort(), chainId: SANDBOX_CHAIN_ID });
    rehearsal.atEnd(() => chain.kill());
    await prepareChain(chain.url, SANDBOX_BLOCK_TIME);
    const endpoints = [await RpcProxy.before(chain.url), await RpcProxy.before(chain.url)] as const;
    const receiver = await startReceiver();
    rehearsal.atEnd(() => Promise.all([...endpoints, receiver].map((server) => server.close())));
    const [networksFile, gasKeyFile, logs] = ['networks.json', 'gas-key', 'logs'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    mkdirSync(logs);
    const [entry] = sandboxNetworkConfiguration(chain.url) as [object];
    const rpcUrls = endpoints.map(({ url }) => url);
    const network = { ...entry, rpc_urls: rpcUrls, max_lag_seconds: MAX_LAG_SECONDS };
    writeFileSync(networksFile, JSON.stringify([network]));
    const gasAddress = ensureGasKey(gasKeyFile);
    await fundGasKey(chain.url, gasAddress);
    const settings = readSandboxSettings({
      ...GENEROUS_LIMITS,
      PATH: process.env['PATH']!,
      HTTP_PORT: String(await freePort()),
      METRICS_PORT: String(await freePortBeforeAnother()),
    });
    const databaseUrl = postgres.url('postgres');
    const place = { databaseUrl, networksFile, gasKeyFile };
    const env = serviceEnvironment(join(folder, 'service.env'), settings, place);
    await runCli(env, 'migrate');
    const seeded = await seedByTheBuild({ env, settlement: SANDBOX_TERMS });
    const world = new WatchedWorld(
      { settings, env, logs, startPostgres, databaseUrl },
      ...([postgres, chain, endpoints, receiver, gasAddress, seeded] as const),
    );
    rehearsal.atEnd(() => world.stop());
    await Promise.all([world.startProcess('worker'), world.startProcess('api')]);
    const path = `/v1/account/${seeded.accountId}/webhook`;
    await world.api.post(path, { url: receiver.url, event_type: 'payment_request' });
    return world;
  }

  /** Host and port where each job of the example scrape finds its process. */
  get targets(): Record<string, string> {
    const port = Number(this.place.env['METRICS_PORT']);
    const at = (number: number) => `127.0.0.1:${number}`;
    return { 'payment-collection-api': at(port), 'payment-collection-worker': at(port + 1) };
  }

  get api(): ApiClient {
    return new ApiClient(this.place.settings.publicUrl, this.seed);
  }

  get wallet(): PayerWallet {
    return new PayerWallet(this.chain.url, sandboxPayer);
  }

  /** With 6 decimals. */
  get asset(): { readonly id: string; readonly token: `0x${string}` } {
    const { unique_asset_id: id } = sandboxNetwork(this.chain.url).assets[0]!;
    return { id, token: tokenOf(id) };
  }

  rpc<Result>(method: string, ...params: unknown[]): Promise<Result> {
    return chainRpc<Result>(this.chain.url, method, params);
  }

  /** Straight from the database, past the service. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** A connection of its own, which may keep a transaction open. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.place.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SET idle_in_transaction_session_timeout = 0');
    return client;
  }

  /** @param settings in place of its own, as in `.env.example` */
  async startProcess(part: Part, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = serviceProcesses(this.place.settings, this.place.logs, { ...this.place.env, ...settings });
    const started = all[part === 'api' ? 0 : 1]!;
    this.processes.set(
      part,
      await startServiceProcess(started, ({ signal, code }) => {
        process.stderr.write(`${started.name} ended by itself (${signal ?? code}).\n`);
      }),
    );
  }

  /** Ends it by SIGTERM. */
  async endProcess(part: Part): Promise<void> {
    await this.processes.get(part)!.stop();
    this.processes.delete(part);
  }

  /** With its own settings. */
  async restartProcess(part: Part): Promise<void> {
    await this.endProcess(part);
    await this.startProcess(part);
  }

  /** @returns a file with the fixed keys of its settings */
  async importSigningKeys(): Promise<string> {
    const path = join(this.place.logs, 'signing-keys.json');
    await runCli({ ...this.place.env, SIGNING_KEYS_FILE: path }, 'keys', 'import');
    return path;
  }

  async endPostgres(): Promise<void> {
    await this.postgres?.stop();
    this.postgres = undefined;
  }

  async startPostgres(): Promise<void> {
    this.postgres = await this.place.startPostgres();
  }

  /** An operator's command. */
  operator(...words: string[]): Promise<unknown> {
    return runCli(this.place.env, ...words);
  }

  /** Waits until what is in the newest block now is final for the service. */
  async newestIsFinal(): Promise<void> {
    const newest = Number(await this.rpc<string>('eth_blockNumber'));
    for (;;) {
      const [cursor] = await this.query<{ final: string }>(
        'SELECT final_number AS final FROM payments.chain_cursors',
      );
      if (Number(cursor?.final ?? 0) >= newest) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** The endpoint that is not read from answers of a chain of its own, which goes on. @returns what ends that */
  async forkSecondEndpoint(): Promise<() => Promise<void>> {
    const calls = this.endpoints.map((endpoint) => endpoint.callsOf('eth_getBlockByNumber'));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const grown = this.endpoints.map((each, at) => each.callsOf('eth_getBlockByNumber') - calls[at]!);
    const second = this.endpoints[grown[0]! > grown[1]! ? 1 : 0];
    const fork = await forkOff({
      rpc: <Result>(method: string, params: unknown[] = []) => this.rpc<Result>(method, ...params),
    });
    await fork.mine(CONFIRMATIONS + 1);
    await chainRpc(fork.url, 'evm_setIntervalMining', [SANDBOX_BLOCK_TIME]);
    const behave = second.misbehave(otherFork(fork));
    return async () => {
      behave();
      await fork.kill();
    };
  }

  private async stop(): Promise<void> {
    await this.pool.end();
    for (const { pid } of this.processes.values()) process.kill(pid, 'SIGCONT');
    await Promise.all([...this.processes.values()].map((each) => each.stop()));
    await this.endPostgres();
  }
}

async function runCli(env: Readonly<Record<string, string>>, ...words: string[]): Promise<unknown> {
  const args = [join(process.cwd(), 'dist', 'cli.js'), ...words, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: '/' });
  return JSON.parse(stdout || 'null');
}

/** Loading the application from its sources takes ten times as long. */
async function seedByTheBuild({ env, ...options }: SeedOptions): Promise<Seed> {
  const built = pathToFileURL(join(process.cwd(), 'dist', 'seed.js')).href;
  const { OperatorCommandRunner, seedShop } = (await import(
    built
  )) as typeof import('#sandbox/service/seed.js');
  const operator = new OperatorCommandRunner({ environment: env, actor: 'sandbox' });
  return seedShop(operator, options).finally(() => operator.close());
}
