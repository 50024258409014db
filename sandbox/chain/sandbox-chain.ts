import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { createClient, http, type Account, type Client, type Hex, type Transport } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { getBalance } from 'viem/actions';
import { bytesToHex, toHex } from 'viem/utils';
import { chainRpc } from './chain-rpc.js';
import { deployOnce, factoryCreationCode } from './deterministic-deployment.js';
import type { SandboxNetwork, SandboxPayer } from '../folder/sandbox-folder.js';
import { deployTestToken, testTokenAddress, topUp, type TestToken } from './test-tokens.js';

export const SANDBOX_CHAIN_ID = 31_337;
/** Seconds. */
export const SANDBOX_BLOCK_TIME = 1;

/** The node's well-known mnemonic, whose coins are worthless. */
const MNEMONIC = 'test test test test test test test test test test test junk';

const NETWORK = 'sandbox';
/** More blocks than a killed chain node may lose: see ChainStateKeeper. */
const CONFIRMATIONS = 5;
const INCLUSION_GRACE_SECONDS = 60;

/** Settles final payments within seconds, even without a market price for gas. */
export const AT_ONCE = { every_seconds: 1, max_gas_share_percent: 100, after_hours: 0 };

/** Exceeds the gas cost on this chain, so that payments by signature are unlimited. */
const SPONSORED = { per_payment: '1', per_organization_and_day: '100', per_day: '1000' };

const TOKENS: readonly (TestToken & { peg: string })[] = [
  { symbol: 'USDC', name: 'Test USD Coin', decimals: 6, peg: 'USD' },
  { symbol: 'USDT', name: 'Test Tether USD', decimals: 6, peg: 'USD' },
  { symbol: 'DAI', name: 'Test Dai', decimals: 18, peg: 'USD' },
];
const MINIMUM_AMOUNT = '0.01';
/** Without a peg, so its value in a currency requires a market price. */
const NATIVE = { token: 'ETH', symbol: 'ETH', name: 'Ether', decimals: 18, minimum_amount: '0.0001' };
/** The payer's balance in wei: below LOW_NATIVE, it is raised to PLENTY_NATIVE. */
const LOW_NATIVE = 1_000n * 10n ** 18n;
const PLENTY_NATIVE = 10_000n * 10n ** 18n;

export const sandboxPayer: SandboxPayer = payerOf(0);

export const SANDBOX_TERMS = {
  network: NETWORK,
  settlementAddress: mnemonicToAccount(MNEMONIC, { addressIndex: 1 }).address,
  feeRecipient: mnemonicToAccount(MNEMONIC, { addressIndex: 2 }).address,
  feeBasisPoints: 50,
};

/**
 * The chain's entry in `sandbox.json`. Token addresses are derived from code, so they are known before deployment.
 */
export function sandboxNetwork(rpcUrl: string): SandboxNetwork {
  return {
    network: NETWORK,
    chain_id: SANDBOX_CHAIN_ID,
    rpc_url: rpcUrl,
    assets: [
      ...TOKENS.map((token) => ({
        symbol: token.symbol,
        unique_asset_id: `n${NETWORK}_t${testTokenAddress(token)}`,
        decimals: token.decimals,
      })),
      {
        symbol: NATIVE.symbol,
        unique_asset_id: `n${NETWORK}_t${NATIVE.token}`,
        decimals: NATIVE.decimals,
      },
    ],
  };
}

export function sandboxNetworkConfiguration(rpcUrl: string): object[] {
  return [
    {
      network: NETWORK,
      name: 'Sandbox',
      chain_id: SANDBOX_CHAIN_ID,
      rpc_urls: [rpcUrl],
      finality: { confirmations: CONFIRMATIONS },
      inclusion_grace_seconds: INCLUSION_GRACE_SECONDS,
      block_seconds: SANDBOX_BLOCK_TIME,
      settlement: AT_ONCE,
      sponsored_payments: SPONSORED,
      assets: [
        ...TOKENS.map((token) => ({
          token: testTokenAddress(token),
          symbol: token.symbol,
          name: token.name,
          decimals: token.decimals,
          minimum_amount: MINIMUM_AMOUNT,
          peg: token.peg,
        })),
        NATIVE,
      ],
    },
  ];
}

/** Deploys missing contracts, tops up the payer, then mines every `blockTimeSeconds`, if set. */
export async function prepareChain(rpcUrl: string, blockTimeSeconds?: number): Promise<void> {
  const client: Client<Transport, undefined, Account> = createClient({
    account: mnemonicToAccount(MNEMONIC),
    transport: http(rpcUrl, { fetchFn: outgoingFetch }),
    pollingInterval: 100,
  });
  // One block per transaction, so that seven transactions do not take seven seconds.
  await chainRpc(rpcUrl, 'evm_setAutomine', [true]);
  await deployOnce(client, factoryCreationCode());
  for (const token of TOKENS) await deployTestToken(client, token);
  for (const token of TOKENS) await topUp(client, token, sandboxPayer.address);
  await topUpNative(client, rpcUrl, sandboxPayer.address);
  if (blockTimeSeconds !== undefined) await chainRpc(rpcUrl, 'evm_setIntervalMining', [blockTimeSeconds]);
}

export async function fundGasKey(rpcUrl: string, address: Hex): Promise<void> {
  await topUpNative(createClient({ transport: http(rpcUrl, { fetchFn: outgoingFetch }) }), rpcUrl, address);
}

/** Tops up the first token and the native coin if a balance is low. */
export async function fundRefundFloat(rpcUrl: string, address: Hex): Promise<void> {
  const account = mnemonicToAccount(MNEMONIC);
  const client = createClient({
    account,
    transport: http(rpcUrl, { fetchFn: outgoingFetch }),
    pollingInterval: 100,
  });
  await topUp(client, TOKENS[0]!, address);
  await topUpNative(client, rpcUrl, address);
}

async function topUpNative(client: Client, rpcUrl: string, address: Hex): Promise<void> {
  if ((await getBalance(client, { address })) >= LOW_NATIVE) return;
  await chainRpc(rpcUrl, 'anvil_setBalance', [address, toHex(PLENTY_NATIVE)]);
}

function payerOf(addressIndex: number): SandboxPayer {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex });
  return { address: account.address, private_key: bytesToHex(account.getHdKey().privateKey!) };
}
