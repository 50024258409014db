import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Hex, concatHex, encodeFunctionData, parseAbi, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { gasLimits } from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import { FACTORY_ABI } from '#contexts/networks/infrastructure/evm/settling/settle-call.js';
import { type Anvil, startAnvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { contractArtifact, deterministicAddress } from '#sandbox/chain/deterministic-deployment.js';
import { encodePayerCall, payerContractAddress } from '#sandbox/chain/payer-contract.js';
import { TOKEN_ABI, testTokenAddress, tokenCreationCode } from '#sandbox/chain/test-tokens.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { DEPLOYER } from '#test/simulation/chain/deployer.js';
import { UNLOCKED } from '#test/simulation/chain/served/development-methods.js';
import { serveChain } from '#test/simulation/chain/served/served-chain.js';

type Call = { readonly to?: Hex | null; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint };

const CHAIN_ID = 31_337;
const TOKEN = { symbol: 'USDC', name: 'Test USD Coin', decimals: 6 };
const SALT: Hex = `0x${'00'.repeat(32)}`;
const FACTORY_CODE = contractArtifact('ForwarderFactory').bytecode;
const factory = deterministicAddress(FACTORY_CODE);
const token = testTokenAddress(TOKEN);
const payers = payerContractAddress();
const account = privateKeyToAccount(toHex(UNLOCKED[0]!.key));
const merchant: Hex = `0x${'31'.repeat(20)}`;
const service: Hex = `0x${'32'.repeat(20)}`;
const terms = {
  settlement: merchant,
  feeRecipient: service,
  feeBasisPoints: 50,
  homeChainId: BigInt(CHAIN_ID),
};
const salts = [1, 2].map((each) => toHex(each, { size: 32 }));

let anvil: Anvil;
let memory: Awaited<ReturnType<typeof serveChain>>;
let nonce = 0;

beforeAll(async () => {
  anvil = await startAnvil({ port: await freePort(), chainId: CHAIN_ID });
  memory = await serveChain(CHAIN_ID);
  await both('anvil_setCoinbase', [`0x${'c0'.repeat(20)}`]);
  await both('evm_setAutomine', [false]);
  await both('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
});
afterAll(async () => {
  await memory.stop();
  await anvil.stop();
});

async function both<T>(method: string, params: unknown[] = []): Promise<readonly [T, T]> {
  return [await chainRpc<T>(anvil.url, method, params), await chainRpc<T>(memory.url, method, params)];
}

/** Sends the same bytes to both, in one block. @returns the receipts of both, without what names the block */
async function receipts(...calls: readonly Call[]) {
  const hashes: string[] = [];
  for (const { gas = 3_000_000n, ...call } of calls) {
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
    const transaction = {
      chainId: CHAIN_ID,
      type: 'eip1559' as const,
      nonce: nonce++,
      gas,
      ...fees,
      ...call,
    };
    const [hash] = await both<string>('eth_sendRawTransaction', [await account.signTransaction(transaction)]);
    hashes.push(hash);
  }
  await both('evm_mine');
  const told: [object[], object[]] = [[], []];
  for (const hash of hashes) {
    const pair = await both<Record<string, unknown>>('eth_getTransactionReceipt', [hash]);
    pair.forEach((receipt, i) => told[i]!.push(essence(receipt)));
  }
  return told;
}

function essence(receipt: Record<string, unknown>): object {
  const { status, gasUsed, cumulativeGasUsed, effectiveGasPrice, logsBloom, contractAddress, type } = receipt;
  const logs = (receipt['logs'] as Record<string, unknown>[]).map(
    ({ address, topics, data, logIndex, transactionIndex }) => ({
      address,
      topics,
      data,
      logIndex,
      transactionIndex,
    }),
  );
  const { from, to, blockNumber, transactionIndex } = receipt;
  const place = { from, to, blockNumber, transactionIndex, type };
  return {
    ...place,
    status,
    gasUsed,
    cumulativeGasUsed,
    effectiveGasPrice,
    logsBloom,
    contractAddress,
    logs,
  };
}

const deploying = (code: Hex): Call => ({ to: DEPLOYER, data: concatHex([SALT, code]) });
const toToken = (
  functionName: 'mint' | 'transfer' | 'approve',
  to: Hex,
  amount: bigint,
  gas?: bigint,
): Call => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [to, amount] }),
  ...(gas !== undefined && { gas }),
});
const paying = (way: Parameters<typeof encodePayerCall>[0], amount: bigint, of: Hex = token): Call => ({
  to: payers,
  data: encodePayerCall(way, [{ token: of, to: merchant, amount }]),
  value: of === token ? 0n : amount,
});
const coin: Hex = `0x${'00'.repeat(20)}`;
const settling = (undeployed: boolean, of: Hex, gas = 3_000_000n): Call => ({
  to: factory,
  gas,
  data: encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: 'settle',
    args: [[{ terms, token: of, undeployed, salts }], gasLimits(90_000n)],
  }),
});

async function forwarders(): Promise<Hex[]> {
  return Promise.all(
    salts.map(async (salt) => {
      const data = encodeFunctionData({ abi: FACTORY_ABI, functionName: 'addressOf', args: [terms, salt] });
      const [one, other] = await both<Hex>('eth_call', [{ to: factory, data }, 'latest']);
      expect(other).toBe(one);
      return `0x${one.slice(26)}` as Hex;
    }),
  );
}

// Each step stands upon the ones before it.
describe('A chain in memory, beside anvil', () => {
  it.each<[string, () => Promise<Call[]> | Call[]]>([
    ['deploys the factory', () => [deploying(FACTORY_CODE)]],
    [
      'deploys a token and a contract that pays',
      () => [deploying(tokenCreationCode(TOKEN)), deploying(contractArtifact('PayerContract').bytecode)],
    ],
    ['creates by a transaction without recipient', () => [{ to: null, data: tokenCreationCode(TOKEN) }]],
    [
      'mints, transfers and approves',
      () => [
        toToken('mint', account.address, 10n ** 12n),
        toToken('transfer', merchant, 5n),
        toToken('transfer', merchant, 7n),
        toToken('approve', payers, 10n ** 12n),
      ],
    ],
    ['fails where a balance does not suffice', () => [toToken('transfer', merchant, 10n ** 20n)]],
    [
      'runs out of gas',
      () => [toToken('transfer', service, 1n, 30_000n), toToken('transfer', service, 1n, 45_000n)],
    ],
    [
      'sends coin',
      () => [
        { to: merchant, value: 3n, gas: 21_000n },
        { to: `0x${'77'.repeat(20)}`, value: 1n },
      ],
    ],
    ['pays through a contract', () => [paying('pay', 9n, coin), paying('pullAndPay', 11n)]],
    [
      'undoes what a contract paid',
      () => [paying('payAndRevert', 9n, coin), paying('tryPayAndRevert', 9n, coin)],
    ],
    [
      'calls what has no code',
      () => [
        { to: service, data: '0x12345678' },
        { to: service, data: '0x', value: 0n },
      ],
    ],
    [
      'pays to forwarders that are not there yet',
      async () =>
        (await forwarders()).flatMap((to) => [toToken('transfer', to, 10_000n), { to, value: 10n ** 16n }]),
    ],
    ['settles and creates them', () => [settling(true, token)]],
    ['settles coin from those that are there', () => [settling(false, coin)]],
    ['settles nothing again', () => [settling(false, token)]],
    ['stops where the gas is too little', () => [settling(false, coin, 120_000n)]],
    ['gives back gas for what is cleared', () => [toToken('approve', payers, 0n)]],
  ])('%s at the same gas with the same logs', async (_, calls) => {
    const [theirs, ours] = await receipts(...(await calls()));

    expect(ours).toEqual(theirs);
  });

  it('has the same balances, counts, codes and base fee then', async () => {
    const addresses = [account.address, merchant, service, factory, token, payers, ...(await forwarders())];
    for (const address of addresses)
      for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']) {
        const [theirs, ours] = await both(method, [address, 'latest']);
        expect([method, address, ours]).toEqual([method, address, theirs]);
      }
    const [theirs, ours] = await both<Record<string, unknown>>('eth_getBlockByNumber', ['latest', false]);
    for (const name of ['number', 'baseFeePerGas', 'gasUsed', 'logsBloom'])
      expect(ours[name]).toBe(theirs[name]);
  });

  it('refuses the same calls, with the same data', async () => {
    const data = encodeFunctionData({ abi: parseAbi(['function nothing()']), functionName: 'nothing' });
    const failure = (url: string) =>
      chainRpc(url, 'eth_call', [{ to: factory, data }, 'latest']).catch((error: Error) => error.message);

    expect(await failure(memory.url)).toMatch(/execution reverted/);
    expect(await failure(anvil.url)).toMatch(/execution reverted/);
  });

  it('simulates the same', async () => {
    const call = { from: account.address, to: token, data: toToken('transfer', merchant, 1n).data };
    const asked = { blockStateCalls: [{ calls: [call] }], validation: false };
    const [theirs, ours] = await both<[{ calls: Record<string, unknown>[] }]>('eth_simulateV1', [
      asked,
      'latest',
    ]);

    for (const name of ['status', 'returnData', 'gasUsed'])
      expect([name, ours[0].calls[0]![name]]).toEqual([name, theirs[0].calls[0]![name]]);
  });
});
