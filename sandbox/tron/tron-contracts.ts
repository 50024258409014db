import { factoryCreationCode } from '../chain/deterministic-deployment.js';
import { TOKEN_ABI, type TestToken, tokenCreationCode } from '../chain/test-tokens.js';
import { evmAddress } from './tron-address.js';
import type { TronWallet } from './tron-wallet.js';

export const TRON_TOKEN: TestToken = { symbol: 'USDT', name: 'Test Tether USD', decimals: 6 };

/** The wallet's balance in smallest units: below LOW, it is raised to PLENTY. */
const LOW = 100_000n * 10n ** BigInt(TRON_TOKEN.decimals);
const PLENTY = 1_000_000n * 10n ** BigInt(TRON_TOKEN.decimals);

/** Addresses of 21 bytes in hexadecimal. They depend on the transactions that created the contracts. */
export interface TronContracts {
  readonly token: string;
  readonly factory: string;
}

/** Creates the test token and the forwarder factory. The chain behind the façade hashes the prefix 0xff. */
export async function createTronContracts(wallet: TronWallet): Promise<TronContracts> {
  const token = await wallet.create('TetherToken', tokenCreationCode(TRON_TOKEN, 'TronTestToken'));
  const factory = await wallet.create('ForwarderFactory', factoryCreationCode('TronForwarderFactory'));
  for (const { id } of [token, factory]) await wallet.mined(id);
  return { token: token.address, factory: factory.address };
}

export async function topUpTron(wallet: TronWallet, token: string): Promise<void> {
  const holder = evmAddress(wallet.address);
  const balance = (await wallet.read(token, TOKEN_ABI, 'balanceOf', [holder])) as bigint;
  if (balance >= LOW) return;
  await wallet.mined(await wallet.call(token, TOKEN_ABI, 'mint', [holder, PLENTY - balance]));
}
