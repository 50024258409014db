import type { SandboxSettings } from './sandbox-settings.js';
import {
  sandboxNetwork,
  sandboxNetworkConfiguration,
  sandboxPayer,
  fundGasKey,
} from './chain/sandbox-chain.js';
import { startBitcoin } from './bitcoin/start-bitcoin.js';
import { startSandboxNode } from './chain/sandbox-node.js';
import { readUserNetworks } from './chain/user-networks.js';
import { writeWhole, type SandboxFolder, type SandboxNetwork } from './folder/sandbox-folder.js';
import { lockSandbox } from './folder/sandbox-lock.js';
import { startWalletServer, type SandboxBitcoinNetwork } from './payer/wallet-server.js';
import { startTron, type StartedTron } from './tron/start-tron.js';
import { tronNetwork, tronNetworkConfiguration } from './tron/tron-network.js';
import { requireDatabase, startSandboxDatabase } from './postgres/sandbox-database.js';
import type { ChildExit } from './processes/child-process.js';
import { RestartedProcess } from './processes/restarted-process.js';
import { ensureGasKey } from './service/service-environment.js';
import { startServiceProcess, serviceProcesses } from './service/service-process.js';
import type { TerminalOutput } from './terminal/terminal-output.js';

export interface Chain {
  bitcoin?: SandboxBitcoinNetwork | undefined;
  tron?: StartedTron | undefined;
  networks: SandboxNetwork[];
  networksFile: string;
  isSandboxChain: boolean;
  gasKeyFile?: string;
}

/** Chains that are started only on request. */
export interface AddedChains {
  readonly bitcoin?: boolean;
  readonly tron?: boolean;
}

/** The parts of one sandbox, started by separate methods. Holds the lock on the sandbox's folder. */
export class SandboxParts {
  /** Functions that stop the parts, in start order. */
  private readonly stops: (() => Promise<void> | void)[];
  private stopping: Promise<void> | undefined;

  /** @throws CannotStart if another sandbox runs on the folder */
  constructor(
    private readonly settings: SandboxSettings,
    private readonly folder: SandboxFolder,
    private readonly output: TerminalOutput,
  ) {
    this.stops = [lockSandbox(folder)];
  }

  /** Stops the parts in reverse order, so that a server outlives its clients. */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (const stop of this.stops.reverse()) await stop();
  }

  /** @returns the URL of the user's own database, or of the embedded database */
  async startDatabase(): Promise<string> {
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

  /** @param clock returns the time at which the chain starts or continues */
  async startChain(clock: () => Promise<Date>, wanted: AddedChains): Promise<Chain> {
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
    const surroundings = { folder, output, clock };
    const bitcoin = wanted.bitcoin === true ? await startBitcoin(this.settings, surroundings) : undefined;
    if (bitcoin !== undefined) this.stops.push(bitcoin.stop);
    const tron = wanted.tron === true ? await startTron(this.settings, surroundings) : undefined;
    if (tron !== undefined) this.stops.push(tron.stop);
    const { tronBlockSeconds } = this.settings;
    const configured = [
      ...sandboxNetworkConfiguration(url),
      ...(bitcoin ? [bitcoin.configuration] : []),
      ...(tron ? [tronNetworkConfiguration(tron.network, tronBlockSeconds)] : []),
    ];
    writeWhole(folder.networks, `${JSON.stringify(configured, null, 2)}\n`);
    const gasKey = ensureGasKey(folder.gasKey);
    await fundGasKey(url, gasKey);
    await tron?.fund(gasKey);
    return {
      networks: [
        sandboxNetwork(url),
        ...(bitcoin ? [bitcoin.network] : []),
        ...(tron ? [tronNetwork(tron.network)] : []),
      ],
      bitcoin,
      tron,
      networksFile: folder.networks,
      isSandboxChain: true,
      gasKeyFile: folder.gasKey,
    };
  }

  async startWallet({ networks: [network], bitcoin, tron }: Chain): Promise<string> {
    const place = { port: this.settings.walletPort, portSetting: 'SANDBOX_WALLET_PORT' };
    const say = this.output.print;
    const wallet = await startWalletServer({
      network: network!,
      payer: sandboxPayer,
      bitcoin,
      tron: tron && { network: tronNetwork(tron.network), chain: tron.chain },
      ...place,
      say,
    });
    this.stops.push(() => wallet.stop());
    return wallet.url;
  }

  async startService(env: Record<string, string>): Promise<void> {
    const outcomes = await Promise.allSettled(
      serviceProcesses(this.settings, this.folder.logs, env).map(async (part) => {
        const start = (onExit: (exit: ChildExit) => void) => startServiceProcess(part, onExit);
        const restarted = await RestartedProcess.start(part.name, start, this.output);
        this.stops.push(() => restarted.stop());
      }),
    );
    // All outcomes are awaited first, so that `stops` contains every started part.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
