import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxPayer } from '../chain/sandbox-chain.js';
import { type SandboxFolder, type SandboxTronNetwork, writeWhole } from '../folder/sandbox-folder.js';
import { RestartedProcess } from '../processes/restarted-process.js';
import type { SandboxSettings } from '../sandbox-settings.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { SandboxTron } from './sandbox-tron.js';
import { PREFIX, toBase58 } from './tron-address.js';
import { createTronContracts, topUpTron, type TronContracts } from './tron-contracts.js';
import { TronWallet } from './tron-wallet.js';

export interface StartedTron {
  readonly network: SandboxTronNetwork;
  readonly chain: SandboxTron;
  /** Gives the account TRX if it has little. @param address of 20 bytes, as on the EVM chain */
  readonly fund: (address: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Surroundings {
  readonly folder: SandboxFolder;
  readonly output: TerminalOutput;
  readonly clock: () => Promise<Date>;
}

/** Sun. */
const LOW_TRX = 100_000_000_000;
const PLENTY_TRX = 1_000_000_000_000;

/** @throws CannotStart */
export async function startTron(
  { tronPort: port, tronBlockSeconds: blockSeconds }: SandboxSettings,
  { folder: { tron: folder }, output, clock }: Surroundings,
): Promise<StartedTron> {
  mkdirSync(folder, { recursive: true });
  const chain = new SandboxTron({ port, folder, blockSeconds });
  const start = () =>
    RestartedProcess.start('The TRON network', async (onExit) => chain.start(await clock(), onExit), output);
  const node = await output.withProgress('Starting the TRON network', start);
  try {
    const { url } = chain.running;
    const wallet = new TronWallet(url, sandboxPayer.private_key.slice(2));
    const { token, factory } = await output.withProgress('Creating its test token and factory', () =>
      prepareTron(chain, wallet, join(folder, 'contracts.json')),
    );
    const [tokenAddress, factoryAddress, payer] = [token, factory, wallet.address].map(toBase58);
    const network = { url, token: tokenAddress!, factory: factoryAddress!, payer: payer! };
    const fund = (address: string) => topUpTrx(chain, `${PREFIX}${address.slice(2).toLowerCase()}`);
    return { network, chain, fund, stop: () => node.stop() };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** Creates what is missing, because a killed chain loses its last seconds. */
async function prepareTron(sandbox: SandboxTron, wallet: TronWallet, file: string): Promise<TronContracts> {
  const { chain } = sandbox.running;
  await topUpTrx(sandbox, wallet.address);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TronContracts) : undefined;
  const codes =
    known && (await Promise.all([known.token, known.factory].map((each) => chain.anvil.code(each))));
  const contracts =
    known !== undefined && codes!.every((code) => code !== '0x') ? known : await createTronContracts(wallet);
  writeWhole(file, `${JSON.stringify(contracts)}\n`);
  await topUpTron(wallet, contracts.token);
  return contracts;
}

async function topUpTrx({ running: { chain } }: SandboxTron, address: string): Promise<void> {
  const balance = await chain.anvil.balance(address);
  // anvil gives the payer more wei than there are sun.
  if (balance < LOW_TRX || balance > PLENTY_TRX) await chain.anvil.setBalance(address, PLENTY_TRX);
}
