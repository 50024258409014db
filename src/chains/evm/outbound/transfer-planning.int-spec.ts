import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, decodeFunctionData, parseAbi } from 'viem';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { TransferRefused } from '#contexts/networks/contract/transfer-planning.js';
import { deployTestToken, firstAccount, sendToToken, submitToToken } from '../testing/chain-contracts.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { transferPlanning } from '#contexts/networks/testing/outbound-parts.js';

const RECIPIENT = `0x${'0c'.repeat(20)}`;
const REFUSING = `0x${'0d'.repeat(20)}`;
/** Address of code that runs until it has used 26 million gas. */
const BURNING = `0x${'0e'.repeat(20)}`;
/** Address of a token whose `balanceOf` returns a growing balance, and whose `transfer` returns `false`. */
const FALSE_TOKEN = `0x${'0f'.repeat(20)}`;
const FALSE_CODE = '0x3660441460155760005460050160005260206000f35b600160005560206000f3';
const NATIVE = { token: 'ETH', symbol: 'ETH' };
const ABI = parseAbi(['function transfer(address,uint256)']);

let chain: TestChain;
let account: Address;
let token: { token: string; symbol: string };
beforeAll(async () => {
  chain = await startTestChain();
  account = await firstAccount(chain.url);
  token = { token: (await deployTestToken(chain.url, 6)).toLowerCase(), symbol: 'USDT' };
  await sendToToken(chain.url, token.token as Address, 'mint', [account, 1_000n]);
  await chain.rpc('anvil_setCode', [REFUSING, '0x60006000fd']);
  await chain.rpc('anvil_setCode', [BURNING, '0x5a5b5a3b50805a900363018cba801160015700']);
  await chain.rpc('anvil_setCode', [FALSE_TOKEN, FALSE_CODE]);
});
afterAll(() => chain.stop());

const plan = (
  asset: typeof token,
  to: string,
  amount: bigint,
  urls: readonly string[] = [chain.url],
  changes: object = {},
) => transferPlanning(settingsFor(urls, changes)).plan(account, asset, to, amount);

describe('A transfer that is planned', () => {
  it('is a call of the token for the whole amount, with a quarter more gas than it takes', async () => {
    const { call, gasCost } = await plan(token, RECIPIENT, 1_000n);

    expect(decodeFunctionData({ abi: ABI, data: call.data as Address }).args?.map(String)).toEqual([
      expect.stringMatching(new RegExp(RECIPIENT, 'i')),
      '1000',
    ]);
    expect([call.to, call.value]).toEqual([token.token, 0n]);
    const estimate = BigInt(
      await chain.rpc('eth_estimateGas', [{ ...call, from: account, gasLimit: undefined, value: '0x0' }]),
    );
    expect(call.gasLimit).toBe((estimate * 5n) / 4n);
    expect(gasCost % call.gasLimit).toBe(0n);
    expect(gasCost / call.gasLimit).toBeGreaterThan(1_000_000_000n);
  });

  it('is read back from its call, and no other call is taken for a transfer', async () => {
    const planning = transferPlanning(settingsFor(chain.url));
    const [{ call: ofToken }, { call: ofCoin }] = [
      await plan(token, RECIPIENT, 1_000n),
      await plan(NATIVE, RECIPIENT, 7n),
    ];

    expect([ofToken, ofCoin].map((call) => planning.decodePayment(call))).toEqual([
      { token: token.token, to: RECIPIENT, amount: 1_000n },
      { token: null, to: RECIPIENT, amount: 7n },
    ]);
    const others = [
      { ...ofToken, data: `${ofToken.data}00` },
      { ...ofToken, value: 1n },
      { ...ofToken, data: '0x095ea7b3' },
    ];
    expect(others.map((call) => planning.decodePayment(call))).toEqual([null, null, null]);
  });

  it('takes at most the gas that a transfer may take on its network', async () => {
    const refused = plan(NATIVE, BURNING, 1n);

    await expect(refused).rejects.toMatchObject({
      reason: 'recipient',
      message: expect.stringMatching(/requires \d{8} gas; the limit is 200000 \(transfer_gas\)/),
    });
    await expect(plan(token, RECIPIENT, 1n, [chain.url], { transfer_gas: 21_000 })).rejects.toThrow(
      'the limit is 21000',
    );
  });

  it.each([
    ['more of a token than there is', () => plan(token, RECIPIENT, 1_001n), 'balance'],
    ['a token to a recipient that it refuses', () => plan(token, `0x${'00'.repeat(20)}`, 1n), 'recipient'],
    ['coin to a contract that refuses it', () => plan(NATIVE, REFUSING, 1n), 'recipient'],
    [
      'a token that answers false, though the amount arrives',
      () => plan({ token: FALSE_TOKEN, symbol: 'FALSE' }, RECIPIENT, 1n),
      'recipient',
    ],
  ])('is refused for %s', async (_, planned, reason) => {
    const refused = planned();

    await expect(refused).rejects.toBeInstanceOf(TransferRefused);
    await expect(refused).rejects.toMatchObject({ reason });
  });
});

describe('A transfer whose transaction succeeded', () => {
  const hasMovedFunds = (hash: string, changes: object = {}, urls: readonly string[] = [chain.url]) =>
    transferPlanning(settingsFor(urls)).hasMovedFunds(hash, {
      from: account,
      asset: token,
      to: RECIPIENT,
      amount: 30n,
      ...changes,
    });
  let hash: string;
  beforeAll(async () => {
    hash = await submitToToken(chain.url, token.token as Address, 'transfer', [RECIPIENT, 30n]);
    await submitToToken(chain.url, token.token as Address, 'mint', [account, 1n]);
  });

  it('has moved what the token’s own event says, and nothing else', async () => {
    expect(await hasMovedFunds(hash)).toBe(true);
    for (const other of [
      { amount: 31n },
      { to: REFUSING },
      { from: RECIPIENT },
      { asset: { ...token, token: FALSE_TOKEN } },
    ])
      expect(await hasMovedFunds(hash, other)).toBe(false);
  });

  it('is not judged while an endpoint is silent, or shows another receipt', async () => {
    const other = new StubNode();
    const url = await other.start();
    const [identity, receipt] = await Promise.all([
      chain.rpc('eth_getBlockByNumber', ['0x0', false]),
      chain.rpc<object>('eth_getTransactionReceipt', [hash]),
    ]);
    await expect(hasMovedFunds(hash, {}, [chain.url, url])).rejects.toBeInstanceOf(ChainUnavailable);
    other.answers('eth_chainId', '0x7a69');
    other.answers('eth_getBlockByNumber', identity);
    other.answers('eth_getTransactionReceipt', null);
    await expect(hasMovedFunds(hash, {}, [chain.url, url])).rejects.toBeInstanceOf(ChainUnavailable);
    other.answers('eth_getTransactionReceipt', { ...receipt, logs: [] });
    await expect(hasMovedFunds(hash, {}, [chain.url, url])).rejects.toThrow(
      'endpoints return different results',
    );
    other.answers('eth_getTransactionReceipt', receipt);
    expect(await hasMovedFunds(hash, {}, [chain.url, url])).toBe(true);
    await other.stop();
  });
});
