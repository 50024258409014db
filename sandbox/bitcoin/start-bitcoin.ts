import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxPayer } from '../chain/sandbox-chain.js';
import type { SandboxFolder, SandboxNetwork } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';
import { RestartedProcess } from '../processes/restarted-process.js';
import type { SandboxSettings } from '../sandbox-settings.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { bitcoinNetwork, bitcoinNetworkConfiguration } from './bitcoin-network.js';
import { MOST_AHEAD_MS } from '../chain/block-requests.js';
import { btcdUrl, startBtcd } from './btcd.js';
import { buildBtcd } from './build-btcd.js';
import { KeptBlocks } from './kept-blocks.js';
import { SandboxBitcoin } from './sandbox-bitcoin.js';

export interface StartedBitcoin {
  readonly network: SandboxNetwork;
  /** An entry of `NETWORKS_FILE`. */
  readonly configuration: object;
  readonly chain: SandboxBitcoin;
  readonly stop: () => Promise<void>;
}

interface Surroundings {
  readonly folder: SandboxFolder;
  readonly output: TerminalOutput;
  readonly clock: () => Promise<Date>;
}

/** @returns undefined if Bitcoin cannot run here; the reason is printed, and the sandbox starts without Bitcoin */
export async function startBitcoin(
  settings: SandboxSettings,
  { folder, output, clock }: Surroundings,
): Promise<StartedBitcoin | undefined> {
  const { bitcoinRpc, bitcoinBlockSeconds: blockSeconds } = settings;
  try {
    const time = await clock();
    refuseFarTime(time);
    const kept = bitcoinRpc === undefined ? keptBlocks(folder) : undefined;
    const node = kept && (await startNode(settings, folder, kept, output));
    const url = bitcoinRpc ?? btcdUrl(settings.bitcoinPort);
    const chain = new SandboxBitcoin(url, sandboxPayer.private_key, blockSeconds, kept);
    const stop = async () => {
      await chain.stop();
      await node?.stop();
    };
    try {
      await refuseOtherChain(chain);
      await output.withProgress('Mining the first bitcoins', () => chain.prepare(time));
    } catch (error) {
      await stop();
      throw error;
    }
    chain.startMining();
    return {
      network: bitcoinNetwork(url),
      configuration: bitcoinNetworkConfiguration(url, blockSeconds),
      chain,
      stop,
    };
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    output.print(`The sandbox starts without Bitcoin. ${error.message}`);
    return undefined;
  }
}

async function startNode(
  { bitcoinPort: port, environment }: SandboxSettings,
  folder: SandboxFolder,
  kept: KeptBlocks,
  output: TerminalOutput,
): Promise<RestartedProcess> {
  const program = await output.withProgress('Building the Bitcoin node (btcd), once', () =>
    buildBtcd(environment),
  );
  const place = { program, port, portSetting: 'SANDBOX_BITCOIN_PORT', folder: folder.bitcoin, kept };
  return RestartedProcess.start('The Bitcoin node', (onExit) => startBtcd({ ...place, onExit }), output);
}

function keptBlocks(folder: SandboxFolder): KeptBlocks {
  mkdirSync(folder.bitcoin, { recursive: true });
  return new KeptBlocks(join(folder.bitcoin, 'blocks'));
}

function refuseFarTime(time: Date): void {
  if (time.getTime() - Date.now() <= MOST_AHEAD_MS) return;
  throw new CannotStart(
    'The sandbox’s clock is more than 110 minutes ahead, and Bitcoin does not accept blocks with such ' +
      'timestamps. Run npm run reset to return to real time.',
  );
}

/** The sandbox mines blocks on demand, so it accepts only regtest. */
async function refuseOtherChain({ rpc }: SandboxBitcoin): Promise<void> {
  const { chain } = await rpc.call<{ chain: string }>('getblockchaininfo').catch((error: Error) => {
    throw new CannotStart(`The Bitcoin node does not respond correctly: ${error.message}`);
  });
  if (chain === 'regtest') return;
  throw new CannotStart(
    `SANDBOX_BITCOIN_RPC names a node of ${chain}, but the sandbox mines only on regtest.`,
  );
}
