import { join } from 'node:path';
import { OperatorSession } from '../app/operator/operator-session.js';
import type { SandboxSettings } from './sandbox-settings.js';
import { supportsParentDeathSignal } from './processes/child-process.js';
import { requireFreePort } from './processes/free-port.js';
import { SupervisedProcess } from './processes/supervised-process.js';
import { readUserNetworks } from './chain/user-networks.js';
import { requireDatabase, startSandboxDatabase } from './postgres/sandbox-database.js';
import {
  SANDBOX_TERMS,
  sandboxNetwork,
  sandboxNetworkConfiguration,
  sandboxPayer,
} from './chain/sandbox-chain.js';
import { startSandboxNode } from './chain/sandbox-node.js';
import { SandboxFolder, writeWhole, type SandboxFile, type SandboxNetwork } from './folder/sandbox-folder.js';
import { lockSandbox } from './folder/sandbox-lock.js';
import type { TerminalOutput } from './terminal/terminal-output.js';
import { seed } from './service/seed.js';
import { serviceEnvironment } from './service/service-environment.js';
import { startServiceProcess } from './service/service-process.js';
import { serviceProcesses } from './service/service-processes.js';
import { preparePayments } from './demonstration/prepare-payments.js';
import { startWalletServer } from './payer/wallet-server.js';

export interface Sandbox {
  readonly file: SandboxFile;
  readonly folder: SandboxFolder;
  /** Name and address of each part, for the terminal. */
  readonly parts: readonly { name: string; at: string }[];
  /** Name and page of each payment that a browser can make now, for the terminal. */
  readonly payable: readonly { name: string; at: string }[];
  /** Stops the parts in reverse order, so that a part's server outlives it. */
  stop(): Promise<void>;
}

type Stop = () => Promise<void> | void;

interface Chain {
  networks: SandboxNetwork[];
  networksFile: string;
  isSandboxChain: boolean;
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
  const stops: Stop[] = [lockSandbox(folder)];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll(stops));
  try {
    const { httpPort } = settings;
    await requireFreePort(httpPort, { what: 'The API', setting: 'HTTP_PORT', waitMs: 1_000 });
    const databaseUrl = await startDatabase(settings, folder, output, stops);
    await output.withProgress('Bringing the database up to date', () => migrate(databaseUrl));
    const chain = await startChain(settings, folder, output, stops);
    const { networksFile } = chain;
    const walletUrl = chain.isSandboxChain
      ? await startWallet(settings, chain.networks[0]!, output, stops)
      : undefined;
    const place = { databaseUrl, networksFile, walletUrl };
    const env = serviceEnvironment(folder.serviceEnvironment, settings, place);
    const shop = await output.withProgress('Making the demonstration shop', () =>
      seedFile(folder, settings, env, chain),
    );
    await output.withProgress('Starting the API and the worker', () =>
      startService(settings, folder, env, output, stops),
    );
    const prepared = await output.withProgress('Preparing something to pay', () =>
      preparePayments(shop, output),
    );
    const file = { ...shop, ...prepared.urls };
    folder.write(file);
    return { file, folder, parts: partsOf(settings, folder, file), payable: prepared.shown, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopAll(stops: Stop[]): Promise<void> {
  for (const stop of stops.reverse()) await stop();
}

async function startDatabase(
  { databaseUrl, postgresPort }: SandboxSettings,
  folder: SandboxFolder,
  output: TerminalOutput,
  stops: Stop[],
): Promise<string> {
  if (databaseUrl !== undefined) {
    await requireDatabase(databaseUrl);
    return databaseUrl;
  }
  const place = { dataDirectory: folder.postgres, port: postgresPort, portSetting: 'SANDBOX_POSTGRES_PORT' };
  const { url, server } = await output.withProgress('Starting PostgreSQL', () =>
    startSandboxDatabase(place, output),
  );
  stops.push(() => server.stop());
  return url;
}

async function migrate(databaseUrl: string): Promise<void> {
  const operator = new OperatorSession({ environment: { DATABASE_URL: databaseUrl }, actor: 'sandbox' });
  await operator.run('migrate');
}

async function startChain(
  { networksFile, chainPort }: SandboxSettings,
  folder: SandboxFolder,
  output: TerminalOutput,
  stops: Stop[],
): Promise<Chain> {
  if (networksFile !== undefined)
    return { networks: await readUserNetworks(networksFile), networksFile, isSandboxChain: false };
  const place = { port: chainPort, portSetting: 'SANDBOX_CHAIN_PORT', stateFile: folder.chain };
  const node = await output.withProgress(
    'Starting the chain, with test tokens and the forwarder factory',
    () => SupervisedProcess.start('The chain', (onExit) => startSandboxNode(place, onExit, output), output),
  );
  stops.push(() => node.stop());
  const url = `http://127.0.0.1:${chainPort}`;
  writeWhole(folder.networks, `${JSON.stringify(sandboxNetworkConfiguration(url), null, 2)}\n`);
  return { networks: [sandboxNetwork(url)], networksFile: folder.networks, isSandboxChain: true };
}

async function startWallet(
  { walletPort }: SandboxSettings,
  network: SandboxNetwork,
  output: TerminalOutput,
  stops: Stop[],
): Promise<string> {
  const place = { port: walletPort, portSetting: 'SANDBOX_WALLET_PORT' };
  const wallet = await startWalletServer({ network, payer: sandboxPayer, ...place, say: output.print });
  stops.push(() => wallet.stop());
  return wallet.url;
}

async function startService(
  settings: SandboxSettings,
  folder: SandboxFolder,
  env: Record<string, string>,
  output: TerminalOutput,
  stops: Stop[],
): Promise<void> {
  const outcomes = await Promise.allSettled(
    serviceProcesses(settings, folder.logs, env).map(async (part) => {
      const supervised = await SupervisedProcess.start(
        part.name,
        (onExit) => startServiceProcess(part, onExit),
        output,
      );
      stops.push(() => supervised.stop());
    }),
  );
  // Both outcomes are awaited first: a part that started must be among the stops.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function seedFile(
  folder: SandboxFolder,
  { publicUrl }: SandboxSettings,
  env: Record<string, string>,
  { networks, isSandboxChain }: Chain,
): Promise<SandboxFile> {
  const earlier = folder.read();
  const seeded = await seed({
    env,
    ...(isSandboxChain && { settlement: SANDBOX_TERMS }),
    known: earlier && { apiKey: earlier.api_key, apiSecret: earlier.api_secret },
  });
  return {
    api_url: publicUrl,
    docs_url: `${publicUrl}/docs`,
    api_key: seeded.apiKey,
    api_secret: seeded.apiSecret,
    organization_id: seeded.organizationId,
    account_id: seeded.accountId,
    pos_id: seeded.posId,
    native_pos_id: seeded.nativePosId,
    networks,
    payer: isSandboxChain ? sandboxPayer : null,
    checkout_url: null,
    payment_link_url: earlier?.payment_link_url ?? null,
  };
}

function partsOf(settings: SandboxSettings, folder: SandboxFolder, file: SandboxFile) {
  const database =
    settings.databaseUrl === undefined ? `127.0.0.1:${settings.postgresPort}` : 'yours (DATABASE_URL)';
  const chains = file.networks.map(({ network, chain_id, rpc_url }) =>
    settings.networksFile === undefined ? `${rpc_url} (chain id ${chain_id})` : network,
  );
  return [
    { name: 'API', at: `${file.api_url} (reference: ${file.docs_url})` },
    { name: 'Worker', at: `log in ${join(folder.logs, 'worker.log')}` },
    { name: 'PostgreSQL', at: database },
    { name: chains.length > 1 ? 'Chains' : 'Chain', at: chains.join(', ') },
  ];
}
