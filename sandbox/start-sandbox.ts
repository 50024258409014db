import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { SHOP_PAGE } from './payer/pay-by-button.js';
import { BITCOIN_TERMS } from './bitcoin/bitcoin-network.js';
import { SANDBOX_TERMS, sandboxPayer, fundRefundFloat } from './chain/sandbox-chain.js';
import { preparePayments } from './demonstration/prepare-payments.js';
import { SandboxFolder, examplesOf, type SandboxFile, type SandboxNetwork } from './folder/sandbox-folder.js';
import { supportsParentDeathSignal } from './processes/child-process.js';
import { requireFreePort } from './processes/free-port.js';
import { SandboxParts, type AddedChains, type Chain } from './sandbox-parts.js';
import type { SandboxSettings } from './sandbox-settings.js';
import { seedOwner } from './service/seed-owner.js';
import { seedShop } from './service/seed.js';
import { readServiceClock } from './service/service-clock.js';
import { serviceEnvironment } from './service/service-environment.js';
import { partsOf, type StartedSandbox } from './terminal/startup-summary.js';
import type { TerminalOutput } from './terminal/terminal-output.js';
import { TRON_TERMS } from './tron/tron-network.js';

export interface Sandbox extends StartedSandbox {
  /** Stops the parts in reverse order, so that a server outlives its clients. */
  stop(): Promise<void>;
}

const ACTOR = 'sandbox';

export async function startSandbox(
  settings: SandboxSettings,
  output: TerminalOutput,
  wanted: AddedChains = {},
): Promise<Sandbox> {
  const folder = new SandboxFolder(settings.directory);
  folder.make();
  if (!(await supportsParentDeathSignal())) {
    output.print(
      'Without setpriv (util-linux), what runs here outlives a sandbox that is killed: end it with Ctrl-C.',
    );
  }
  const parts = new SandboxParts(settings, folder, output);
  try {
    return await new SandboxStart(settings, folder, parts, output).run(wanted);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

class SandboxStart {
  constructor(
    private readonly settings: SandboxSettings,
    private readonly folder: SandboxFolder,
    private readonly parts: SandboxParts,
    private readonly output: TerminalOutput,
  ) {}

  async run(wanted: AddedChains): Promise<Sandbox> {
    const { settings, folder, parts, output } = this;
    await requireFreePort(settings.httpPort, { what: 'The API', setting: 'HTTP_PORT', waitMs: 1_000 });
    const databaseUrl = await parts.startDatabase();
    await output.withProgress('Bringing the database up to date', () => migrate(databaseUrl));
    const chain = await parts.startChain(async () => (await readServiceClock(databaseUrl)).time, wanted);
    const { networksFile } = chain;
    const walletUrl = chain.isSandboxChain ? await parts.startWallet(chain) : undefined;
    const place = { databaseUrl, networksFile, walletUrl, gasKeyFile: chain.gasKeyFile };
    const env = serviceEnvironment(folder.serviceEnvironment, settings, place);
    const operator = new OperatorCommandRunner({ environment: env, actor: ACTOR });
    try {
      const file = await this.fillService(operator, env, { chain, walletUrl });
      const { payable, ...urls } = await output.withProgress('Preparing something to pay', () =>
        preparePayments(file, output),
      );
      const complete = { ...file, ...urls };
      folder.write(complete);
      const shown = partsOf(settings, folder.logs, complete, await readServiceClock(databaseUrl));
      return { file: complete, folder, parts: shown, payable, stop: () => parts.stop() };
    } finally {
      await operator.close();
    }
  }

  private async fillService(
    operator: OperatorCommandRunner,
    env: Record<string, string>,
    { chain, walletUrl }: { chain: Chain; walletUrl: string | undefined },
  ): Promise<SandboxFile> {
    const { output } = this;
    const shop = await output.withProgress('Making the demonstration shop', () =>
      this.seedFile(operator, env, chain, walletUrl),
    );
    await output.withProgress('Starting the API and the worker', () =>
      this.parts.startService({ DOCS_EXAMPLES: JSON.stringify(examplesOf(shop)), ...env }),
    );
    const owner = await output.withProgress('Making the dashboard’s owner', () => seedOwner(operator, shop));
    return { ...shop, dashboard_owner: owner };
  }

  private async seedFile(
    operator: OperatorCommandRunner,
    env: Record<string, string>,
    { networks, isSandboxChain, bitcoin, tron }: Chain,
    walletUrl: string | undefined,
  ): Promise<SandboxFile> {
    const earlier = this.folder.read();
    const { publicUrl } = this.settings;
    const seeded = await seedShop(operator, {
      framedBy: SHOP_PAGE,
      ...(isSandboxChain && { settlement: SANDBOX_TERMS }),
      ...(tron && { moreSettlements: [TRON_TERMS] }),
      ...(bitcoin && { delivered: BITCOIN_TERMS }),
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
      bitcoin_pos_id: seeded.deliveredPosId,
      networks,
      tron: tron?.network ?? null,
      payer: isSandboxChain ? sandboxPayer : null,
      wallet_url: walletUrl ?? null,
      checkout_url: null,
      bitcoin_checkout_url: null,
      payment_link_url: earlier?.payment_link_url ?? null,
      subscription_url: earlier?.subscription_url ?? null,
    };
  }
}

function dashboardUrlOf(env: Readonly<Record<string, string>>, httpPort: number): string {
  return `${env['DASHBOARD_URL'] || `http://localhost:${httpPort}`}/app`;
}

/** Tops up the shop's refund float, so that payments can be refunded immediately. */
async function fundFloat(
  operator: OperatorCommandRunner,
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
  const operator = new OperatorCommandRunner({ environment: { DATABASE_URL: databaseUrl }, actor: ACTOR });
  await operator.run('migrate', '--yes');
}
