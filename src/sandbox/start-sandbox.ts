import { OperatorSession } from '#app/operator/operator-session.js';
import type { SandboxSettings } from './sandbox-settings.js';
import { supportsParentDeathSignal, type ChildExit } from './processes/child-process.js';
import { requireFreePort } from './processes/free-port.js';
import { RestartedProcess } from './processes/restarted-process.js';
import { readUserNetworks } from './chain/user-networks.js';
import { requireDatabase, startSandboxDatabase } from './postgres/sandbox-database.js';
import {
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxNetworkConfiguration,
  sandboxPayer,
  fundGasKey,
  fundRefundFloat,
} from './chain/sandbox-chain.js';
import { startSandboxNode } from './chain/sandbox-node.js';
import {
  SandboxFolder,
  writeWhole,
  type SandboxFile,
  type SandboxNetwork,
  examplesOf,
} from './folder/sandbox-folder.js';
import { lockSandbox } from './folder/sandbox-lock.js';
import { partsOf, type StartedSandbox } from './terminal/startup-summary.js';
import type { TerminalOutput } from './terminal/terminal-output.js';
import { seedOwner } from './service/seed-owner.js';
import { seedShop } from './service/seed.js';
import { ensureGasKey, serviceEnvironment } from './service/service-environment.js';
import { readServiceClock } from './service/service-clock.js';
import { startServiceProcess, serviceProcesses } from './service/service-process.js';
import { preparePayments } from './demonstration/prepare-payments.js';
import { startWalletServer } from './payer/wallet-server.js';

export interface Sandbox extends StartedSandbox {
  /** Stops the parts in reverse order, so that a part's server outlives it. */
  stop(): Promise<void>;
}

const ACTOR = 'sandbox';

interface Chain {
  networks: SandboxNetwork[];
  networksFile: string;
  isSandboxChain: boolean;
  /** The account of this key is funded on the sandbox's chain. */
  gasKeyFile?: string;
}

/**
 * Starts all parts, or resumes them from the sandbox's folder.
 * @throws CannotStart, InvalidSettings, ForeignChain: then nothing is left running
 */
export async function startSandbox(settings: SandboxSettings, output: TerminalOutput): Promise<Sandbox> {
  const folder = new SandboxFolder(settings.directory);
  folder.make();
  if (!(await supportsParentDeathSignal())) {
    output.print(
      'Without setpriv (util-linux), what runs here outlives a sandbox that is killed: end it with Ctrl-C.',
    );
  }
  const start = new SandboxStart(settings, folder, output);
  try {
    return await start.run();
  } catch (error) {
    await start.stop();
    throw error;
  }
}

class SandboxStart {
  /** The function that ends each part, in the order of their starts. */
  private readonly stops: (() => Promise<void> | void)[];
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly folder: SandboxFolder,
    private readonly output: TerminalOutput,
  ) {
    this.stops = [lockSandbox(folder)];
  }

  async run(): Promise<Sandbox> {
    const { settings, folder, output } = this;
    await requireFreePort(settings.httpPort, { what: 'The API', setting: 'HTTP_PORT', waitMs: 1_000 });
    const databaseUrl = await this.startDatabase();
    await output.withProgress('Bringing the database up to date', () => migrate(databaseUrl));
    const chain = await this.startChain(async () => (await readServiceClock(databaseUrl)).time);
    const { networksFile } = chain;
    const walletUrl = chain.isSandboxChain ? await this.startWallet(chain.networks[0]!) : undefined;
    const place = { databaseUrl, networksFile, walletUrl, gasKeyFile: chain.gasKeyFile };
    const env = serviceEnvironment(folder.serviceEnvironment, settings, place);
    const operator = new OperatorSession({ environment: env, actor: ACTOR });
    try {
      const file = await this.fillService(operator, env, { chain, walletUrl });
      const { payable, ...urls } = await output.withProgress('Preparing something to pay', () =>
        preparePayments(file, output),
      );
      const complete = { ...file, ...urls };
      folder.write(complete);
      const parts = partsOf(settings, folder.logs, complete, await readServiceClock(databaseUrl));
      return { file: complete, folder, parts, payable, stop: () => this.stop() };
    } finally {
      await operator.close();
    }
  }

  /** Starts the API and the worker, with the demonstration shop and its Owner. */
  private async fillService(
    operator: OperatorSession,
    env: Record<string, string>,
    { chain, walletUrl }: { chain: Chain; walletUrl: string | undefined },
  ): Promise<SandboxFile> {
    const { output } = this;
    const shop = await output.withProgress('Making the demonstration shop', () =>
      this.seedFile(operator, env, chain, walletUrl),
    );
    await output.withProgress('Starting the API and the worker', () =>
      this.startService({ DOCS_EXAMPLES: JSON.stringify(examplesOf(shop)), ...env }),
    );
    const owner = await output.withProgress('Making the dashboard’s owner', () => seedOwner(operator, shop));
    return { ...shop, dashboard_owner: owner };
  }

  /** Once, however often it is called. */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (const stop of this.stops.reverse()) await stop();
  }

  private async startDatabase(): Promise<string> {
    const { databaseUrl, postgresPort: port } = this.settings;
    if (databaseUrl !== undefined) {
      await requireDatabase(databaseUrl);
      return databaseUrl;
    }
    const place = { dataDirectory: this.folder.postgres, port, portSetting: 'SANDBOX_POSTGRES_PORT' };
    const { url, server } = await this.output.withProgress('Starting PostgreSQL', () =>
      startSandboxDatabase(place, this.output),
    );
    this.stops.push(() => server.stop());
    return url;
  }

  private async startChain(clock: () => Promise<Date>): Promise<Chain> {
    const { networksFile, chainPort: port } = this.settings;
    if (networksFile !== undefined)
      return { networks: await readUserNetworks(networksFile), networksFile, isSandboxChain: false };
    const { folder, output } = this;
    const place = { port, portSetting: 'SANDBOX_CHAIN_PORT', stateFile: folder.chain, clock };
    const node = await output.withProgress(
      'Starting the chain, with test tokens and the forwarder factory',
      () => RestartedProcess.start('The chain', (onExit) => startSandboxNode(place, onExit, output), output),
    );
    this.stops.push(() => node.stop());
    const url = `http://127.0.0.1:${port}`;
    writeWhole(folder.networks, `${JSON.stringify(sandboxNetworkConfiguration(url), null, 2)}\n`);
    await fundGasKey(url, ensureGasKey(folder.gasKey));
    return {
      networks: [sandboxNetwork(url)],
      networksFile: folder.networks,
      isSandboxChain: true,
      gasKeyFile: folder.gasKey,
    };
  }

  private async startWallet(network: SandboxNetwork): Promise<string> {
    const place = { port: this.settings.walletPort, portSetting: 'SANDBOX_WALLET_PORT' };
    const say = this.output.print;
    const wallet = await startWalletServer({ network, payer: sandboxPayer, ...place, say });
    this.stops.push(() => wallet.stop());
    return wallet.url;
  }

  private async startService(env: Record<string, string>): Promise<void> {
    const outcomes = await Promise.allSettled(
      serviceProcesses(this.settings, this.folder.logs, env).map(async (part) => {
        const start = (onExit: (exit: ChildExit) => void) => startServiceProcess(part, onExit);
        const restarted = await RestartedProcess.start(part.name, start, this.output);
        this.stops.push(() => restarted.stop());
      }),
    );
    // Both outcomes are awaited first: a part that started must be among the stops.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private async seedFile(
    operator: OperatorSession,
    env: Record<string, string>,
    { networks, isSandboxChain }: Chain,
    walletUrl: string | undefined,
  ): Promise<SandboxFile> {
    const earlier = this.folder.read();
    const { publicUrl } = this.settings;
    const seeded = await seedShop(operator, {
      ...(isSandboxChain && { settlement: SANDBOX_TERMS }),
      known: earlier && { apiKey: earlier.api_key, apiSecret: earlier.api_secret },
    });
    if (isSandboxChain) await fundFloat(operator, seeded.organizationId, networks[0]!);
    return {
      api_url: publicUrl,
      docs_url: `${publicUrl}/docs`,
      dashboard_url: dashboardUrlOf(env, this.settings.httpPort),
      dashboard_owner: earlier?.dashboard_owner ?? null,
      api_key: seeded.apiKey,
      api_secret: seeded.apiSecret,
      organization_id: seeded.organizationId,
      account_id: seeded.accountId,
      pos_id: seeded.posId,
      native_pos_id: seeded.nativePosId,
      networks,
      payer: isSandboxChain ? sandboxPayer : null,
      wallet_url: walletUrl ?? null,
      checkout_url: null,
      payment_link_url: earlier?.payment_link_url ?? null,
      subscription_url: earlier?.subscription_url ?? null,
    };
  }
}

/** The address that the service reads as `DASHBOARD_URL`. */
function dashboardUrlOf(env: Readonly<Record<string, string>>, httpPort: number): string {
  return `${env['DASHBOARD_URL'] || `http://localhost:${httpPort}`}/app`;
}

/** Fills the shop's refund float, so that what the shop was paid can be refunded at once. */
async function fundFloat(
  operator: OperatorSession,
  organizationId: string,
  { network, rpc_url }: SandboxNetwork,
): Promise<void> {
  const { address } = await operator.run<{ address: `0x${string}` }>(
    'float',
    'open',
    organizationId,
    network,
  );
  await fundRefundFloat(rpc_url, address);
}

async function migrate(databaseUrl: string): Promise<void> {
  const operator = new OperatorSession({ environment: { DATABASE_URL: databaseUrl }, actor: ACTOR });
  await operator.run('migrate', '--yes');
}
