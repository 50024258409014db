import { type Hex, concatHex, encodeFunctionData, hexToBytes, keccak256, parseAbi, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import {
  contractArtifact,
  deterministicAddress,
  factoryCreationCode,
} from '#sandbox/chain/deterministic-deployment.js';
import { payerContractAddress } from '#sandbox/chain/payer-contract.js';
import {
  TOKEN_ABI,
  type TestToken,
  testTokenAddress,
  tokenCreationCode,
} from '#sandbox/chain/test-tokens.js';
import { DEPLOYER, DEPLOYER_CODE } from './deployer.js';
import { MemoryChain } from './memory-chain.js';
import { type Signer, signTransaction } from './signed-transaction.js';

export interface FurnishedToken extends TestToken {
  readonly address: string;
  /** The currency to which it is pegged; null: it is no asset of anybody. */
  readonly peg: string | null;
}

export interface FurnishedChain {
  readonly chain: MemoryChain;
  /** USDC, USDT, DAI, and last one that is no asset. All take payments by signature (EIP-3009). */
  readonly tokens: readonly FurnishedToken[];
  /** The forwarder factory, in lower case. */
  readonly factory: string;
  readonly payerContract: string;
  readonly payers: readonly Signer[];
}

export interface Furnishing {
  readonly chainId: number;
  /** The first block's time, in seconds since 1970. Three blocks follow it, a second apart. */
  readonly time: number;
  /** Who else has coin: keys that pay for gas, floats. In wei. */
  readonly funded?: Readonly<Record<string, bigint>>;
  readonly holders?: readonly string[];
}

const TOKENS: readonly (TestToken & { peg: string | null })[] = [
  { symbol: 'USDC', name: 'Test USD Coin', decimals: 6, peg: 'USD' },
  { symbol: 'USDT', name: 'Test Tether USD', decimals: 6, peg: 'USD' },
  { symbol: 'DAI', name: 'Test Dai', decimals: 18, peg: 'USD' },
  { symbol: 'USDC', name: 'Worthless USD Coin', decimals: 6, peg: null },
];
const PAYERS = 10;
const PLENTY = 10n ** 12n;
const COIN = 10n ** 18n;
const SALT: Hex = `0x${'00'.repeat(32)}`;
const APPROVE_ABI = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);

export async function furnishChain({
  chainId,
  time,
  funded = {},
  holders = [],
}: Furnishing): Promise<FurnishedChain> {
  const payers = Array.from({ length: PAYERS }, (_, at) => payerOf(at));
  const rich = [...payers.map(({ address }) => [address, PLENTY * COIN] as const), ...Object.entries(funded)];
  const accounts = Object.fromEntries(rich.map(([address, balance]) => [address, { balance }]));
  const deployer = { [DEPLOYER]: { code: hexToBytes(DEPLOYER_CODE) } };
  const chain = await MemoryChain.begin({ chainId, time, accounts: { ...accounts, ...deployer } });
  const tokens = TOKENS.map((token) => ({ ...token, address: testTokenAddress(token).toLowerCase() }));
  const [first] = payers as [Signer];
  const send = (from: Signer, to: string, data: Hex, gasLimit = 200_000n) => {
    const nonce = chain.pool.nextNonce(chain.head.state, from.address);
    const fees = { maxFee: 10n ** 11n, maxTip: 10n ** 9n };
    chain.take(signTransaction({ chainId, nonce, to, value: 0n, data, gasLimit, ...fees }, from));
  };

  const codes = [factoryCreationCode(), contractArtifact('PayerContract').bytecode];
  for (const code of [...codes, ...TOKENS.map((token) => tokenCreationCode(token))])
    send(first, DEPLOYER, concatHex([SALT, code]), 4_000_000n);
  await chain.mine({ time: time + 1 });
  for (const { address: token, decimals } of tokens) {
    for (const holder of [...payers.map(({ address }) => address), ...holders]) {
      const args = [
        holder as Hex,
        (holders.includes(holder) ? 10n ** 6n : PLENTY) * 10n ** BigInt(decimals),
      ] as const;
      send(first, token, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args }));
    }
    for (const payer of payers) {
      const args = [payerContractAddress(), 2n ** 256n - 1n] as const;
      send(payer, token, encodeFunctionData({ abi: APPROVE_ABI, functionName: 'approve', args }));
    }
  }
  await chain.mine({ time: time + 2 });
  await chain.mine({ time: time + 3 });
  if (chain.pool.size > 0) throw new Error('Not all of the furnishing is in a block.');
  const factory = deterministicAddress(factoryCreationCode()).toLowerCase();
  return { chain, tokens, factory, payerContract: payerContractAddress().toLowerCase(), payers };
}

function payerOf(at: number): Signer {
  const key = keccak256(toHex(`payer ${at}`));
  return { address: privateKeyToAddress(key).toLowerCase(), key: hexToBytes(key) };
}
