import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { localUrl, readSandboxSettings } from '#sandbox/sandbox-settings.js';
import { brokenInvariants } from './broken-invariants.js';
import { MOVED_CLOCK } from './partial-worlds.js';
import { ApiClient } from './api-client.js';
import { waitUntil, type ServerProcess } from '#sandbox/processes/child-process.js';
import { freePort, freePortBeforeAnother } from '#sandbox/processes/free-port.js';
import { PayerWallet } from '#sandbox/payer/payer-wallet.js';
import {
  fundGasKey,
  prepareChain,
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxPayer,
} from '#sandbox/chain/sandbox-chain.js';
import { SandboxFolder, writeWhole, type SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import type { Seed } from '#sandbox/service/seed.js';
import { ensureGasKey, serviceEnvironment } from '#sandbox/service/service-environment.js';
import { startServiceProcess, serviceProcesses } from '#sandbox/service/service-process.js';
import { startTestChain, type TestChain } from './chain.js';
import { compileCache } from './compile-cache.js';
import { GENEROUS_LIMITS } from './generous-limits.js';
import { seedByTheRun } from './seeding.js';
import { allOrNone, networkEntry, reportExit, startWallet } from './service-parts.js';
import { serviceRole } from './service-role.js';
import { createTestDatabase } from './test-database.js';

export interface ServiceOptions {
  settings?: Record<string, string>;
  /** Where the API finds its database instead; the worker and the test keep the direct way. */
  apiDatabase?: (url: string) => Promise<string>;
  /** Where the API finds a replica of the database at `url`. */
  apiReplica?: (url: string) => string;
  /** More assets of 6 decimals on the demonstration chain, as in `NETWORKS_FILE`. Nobody has any of them. */
  moreAssets?: readonly { token: string }[];
  /** Both processes run by a role that owns no table. */
  ownsNothing?: boolean;
  /** Endpoints of the chain, in place of its node's own, which furnishing and payers use. */
  rpcUrls?: (nodeUrl: string) => Promise<string[]>;
  /** Adds to the chain's entry in `NETWORKS_FILE`. @param assets as they are there */
  network?: (assets: readonly NetworkAsset[]) => Readonly<Record<string, unknown>>;
  /** Entries of other networks in `NETWORKS_FILE`, whose nodes the test has. */
  moreNetworks?: readonly object[];
  /** The worker and the operator hold a gas key with coin, so that what is final is settled. */
  settles?: boolean;
  exportsMetrics?: boolean;
  /** Checkout pages offer the play-money wallet to pay with. */
  wallet?: boolean;
}

export interface NetworkAsset {
  readonly token: string;
  readonly symbol: string;
}

export interface KillableApi {
  readonly url: string;
  kill(): void;
}

export interface TestService {
  readonly apiUrl: string;
  readonly api: ApiClient;
  readonly seed: Seed;
  /** USDC and USDT with 6 decimals, DAI and the native coin with 18. */
  readonly assets: readonly SandboxAsset[];
  /** Mines each transaction at once; `mine` makes earlier ones final. */
  readonly chain: TestChain;
  readonly wallet: PayerWallet;
  readonly databaseUrl: string;
  /** The environment of the service, as an operator's commands read it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: { api: ServerProcess; worker: ServerProcess };
  readonly metricsPorts: { readonly api: number; readonly worker: number };
  anotherApi(): Promise<string>;
  /** One that is to be killed. @param databaseUrl another way to the database */
  killableApi(databaseUrl: string): Promise<KillableApi>;
  /** Another worker process on the same database. @param rpcUrls endpoints of the chain, in place of the others' */
  anotherWorker(rpcUrls?: readonly string[]): Promise<ServerProcess>;
  /** The whole log, as one text; of other workers too. */
  log(part: 'api' | 'worker'): string;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Moves the service's clock and the chain's, and mines a block. */
  advance(seconds: number): Promise<void>;
  /** Names and rows of the invariants that do not hold, also once the worker had time to do what is due. */
  breaches(): Promise<object[]>;
  stop(): Promise<void>;
}

const FOR_TESTS = { WATCH_INTERVAL_MS: '150', ...GENEROUS_LIMITS };

const BUILT = join(process.cwd(), 'dist');

/** The built API and worker on a database and a chain of their own, with the demonstration shop. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  if (!existsSync(join(BUILT, 'main.js'))) throw new Error('There is no build. Run the suite with npm test.');
  const folder = new SandboxFolder(mkdtempSync(join(tmpdir(), 'service-')));
  folder.make();
  const [database, chain, httpPort] = await Promise.all([createTestDatabase(), startTestChain(), freePort()]);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
  const parts: ServerProcess[] = [];
  const stops: (() => Promise<void>)[] = [];
  const drops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
    for (const stopOne of stops) await stopOne();
    await Promise.all([pool.end(), chain.kill()]);
    await database.drop();
    for (const drop of drops) await drop();
    rmSync(folder.path, { recursive: true, force: true });
  };
  try {
    await prepareChain(chain.url);
    const entry = await networkEntry(chain, options);
    const { moreNetworks = [] } = options;
    writeWhole(folder.networks, JSON.stringify([entry, ...moreNetworks]));
    const metricsPort = await freePortBeforeAnother();
    const settings = readSandboxSettings({
      ...FOR_TESTS,
      ...compileCache(),
      ...options.settings,
      ...(options.exportsMetrics && { METRICS_PORT: String(metricsPort) }),
      HTTP_PORT: String(httpPort),
    });
    const walletServer = options.wallet ? await startWallet(chain.url) : undefined;
    if (walletServer !== undefined) stops.push(() => walletServer.stop());
    const byRole = options.ownsNothing ? await serviceRole(database.url) : undefined;
    if (byRole !== undefined) drops.push(byRole.drop);
    const place = {
      databaseUrl: byRole?.url ?? database.url,
      networksFile: folder.networks,
      walletUrl: walletServer?.url,
      gasKeyFile: options.settles ? folder.gasKey : undefined,
    };
    if (options.settles) await fundGasKey(chain.url, ensureGasKey(folder.gasKey));
    const env = serviceEnvironment(folder.serviceEnvironment, settings, place);
    const apiEnv = {
      ...env,
      DATABASE_URL: (await options.apiDatabase?.(database.url)) ?? place.databaseUrl,
      ...(options.apiReplica && { DATABASE_REPLICA_URL: options.apiReplica(database.url) }),
    };
    const [api, worker] = serviceProcesses(settings, folder.logs, env);
    const started = async (process: Promise<ServerProcess>) => {
      const part = await process;
      parts.push(part);
      return part;
    };
    // Nothing in the seed is asked for while the processes start.
    const [seeded, apiPart, workerPart] = await allOrNone([
      seedByTheRun({ env, settlement: SANDBOX_TERMS }),
      started(startServiceProcess({ ...api!, env: apiEnv }, reportExit('API'))),
      started(startServiceProcess(worker!, reportExit('worker'))),
    ]);
    const otherApi = async (environment: typeof env) => {
      const address = { httpHost: settings.httpHost, httpPort: await freePort() };
      // A port may come back once its process is killed.
      const logs = mkdtempSync(join(folder.logs, `${address.httpPort}-`));
      const ownEnvironment = {
        ...environment,
        HTTP_PORT: String(address.httpPort),
        METRICS_PORT: '',
      };
      const [other] = serviceProcesses(address, logs, ownEnvironment);
      const { pid } = await started(startServiceProcess(other!, reportExit('other API')));
      return { url: localUrl(address), pid };
    };
    const client = new ApiClient(settings.publicUrl, seeded);
    await client.authenticate();
    const query = async <Row extends object>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows;
    // Requests are taken from the first turn of the worker on, unless its node is not to answer.
    const isRead = async () => (await query('SELECT FROM payments.chain_cursors')).length > 0;
    await waitUntil(isRead, { timeoutMs: 60_000, everyMs: 20 });
    return {
      apiUrl: settings.publicUrl,
      api: client,
      seed: seeded,
      assets: sandboxNetwork(chain.url).assets,
      chain,
      wallet: new PayerWallet(chain.url, sandboxPayer),
      databaseUrl: database.url,
      environment: env,
      processes: { api: apiPart, worker: workerPart },
      metricsPorts: { api: metricsPort, worker: metricsPort + 1 },
      anotherApi: async () => (await otherApi(env)).url,
      async killableApi(databaseUrl) {
        const { url, pid } = await otherApi({ ...env, DATABASE_URL: databaseUrl });
        return { url, kill: () => void process.kill(pid, 'SIGKILL') };
      },
      anotherWorker(rpcUrls) {
        const networksFile = `${folder.networks}.${parts.length}`;
        const own = rpcUrls ? { ...entry, rpc_urls: rpcUrls } : entry;
        writeWhole(networksFile, JSON.stringify([own, ...moreNetworks]));
        const other = { ...worker!, env: { ...env, NETWORKS_FILE: networksFile, METRICS_PORT: '' } };
        return started(startServiceProcess(other, reportExit('other worker')));
      },
      log: (part) => readFileSync(join(folder.logs, `${part}.log`), 'utf8'),
      query,
      async advance(seconds) {
        await query('UPDATE platform.clock_offset SET value = value + make_interval(secs => $1)', [seconds]);
        await chain.rpc('evm_increaseTime', [seconds]);
        await chain.mine(1);
      },
      async breaches() {
        let found: object[] = [];
        const allHold = async () => {
          found = await brokenInvariants(query, MOVED_CLOCK);
          return found.length === 0;
        };
        // After a jump of the clock the worker ends what was left behind, one after another.
        await waitUntil(allHold, { timeoutMs: 110_000, everyMs: 50 });
        return found;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
