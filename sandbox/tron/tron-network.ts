import { AT_ONCE, SANDBOX_TERMS } from '../chain/sandbox-chain.js';
import type { SandboxNetwork, SandboxTronNetwork } from '../folder/sandbox-folder.js';
import type { SettlementSeed } from '../service/seed.js';
import { PREFIX, toBase58 } from './tron-address.js';

export const TRON_NETWORK = 'sandbox-tron';
/** The letters TRON. */
export const TRON_CHAIN_ID = 0x54_52_4f_4e;
const ASSET = { symbol: 'USDT', decimals: 6 };
const MINIMUM_AMOUNT = '0.01';
const SOLID_AFTER = 19;

export function tronNetwork({ url, token }: SandboxTronNetwork): SandboxNetwork {
  const asset = { ...ASSET, unique_asset_id: `n${TRON_NETWORK}_t${token}` };
  return { network: TRON_NETWORK, chain_id: TRON_CHAIN_ID, rpc_url: url, assets: [asset] };
}

export function isTron({ network }: Pick<SandboxNetwork, 'network'>): boolean {
  return network === TRON_NETWORK;
}

/** The same accounts as on the EVM chain. */
export const TRON_TERMS: SettlementSeed = {
  ...SANDBOX_TERMS,
  network: TRON_NETWORK,
  settlementAddress: tronSpelling(SANDBOX_TERMS.settlementAddress),
  feeRecipient: tronSpelling(SANDBOX_TERMS.feeRecipient),
};

function tronSpelling(address: string): string {
  return toBase58(`${PREFIX}${address.slice(2)}`);
}

/** The chain's entry in `NETWORKS_FILE`. */
export function tronNetworkConfiguration(
  { url, token, factory }: SandboxTronNetwork,
  blockSeconds: number,
): object {
  return {
    network: TRON_NETWORK,
    name: 'Sandbox TRON (TRC-20)',
    family: 'tron',
    chain_id: TRON_CHAIN_ID,
    rpc_urls: [url],
    finality: { tag: 'finalized', typical_confirmations: SOLID_AFTER },
    block_seconds: blockSeconds,
    factory,
    create2_prefix: '0xff',
    settlement: AT_ONCE,
    assets: [{ token, ...ASSET, name: 'Test Tether USD', minimum_amount: MINIMUM_AMOUNT, peg: 'USD' }],
  };
}
