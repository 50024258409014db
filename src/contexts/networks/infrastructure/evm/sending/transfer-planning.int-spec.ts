import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, decodeFunctionData, parseAbi } from 'viem';
import { type TestChain, startTestChain } from '../../../../../../test/support/chain.js';
import { TransferRefused } from '../../../contract/transfer-planning.js';
import { deployTestToken, firstAccount, sendToToken } from '../../../testing/chain-contracts.js';
import { settingsFor } from '../../../testing/sample-configuration.js';
import { StubNode } from '../../../testing/stub-node.js';
import { transferPlanning } from '../../../testing/transfer-planning.js';

const RECIPIENT = `0x${'0c'.repeat(20)}`;
const REFUSING = `0x${'0d'.repeat(20)}`;
/** Its code goes on until it has used 26 million gas. */
const BURNING = `0x${'0e'.repeat(20)}`;
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
});
afterAll(() => chain.stop());

const plan = (
  asset: typeof token,
  to: string,
  amount: bigint,
  urls: readonly string[] = [chain.url],
  changes: object = {},
) => transferPlanning(settingsFor(urls, changes)).plan('sandbox', account, asset, to, amount);

describe('A transfer that is planned', () => {
  it('is a call of the token for the whole amount, with the gas that it takes and more', async () => {
    const { call, gasCost } = await plan(token, RECIPIENT, 1_000n);

    expect(decodeFunctionData({ abi: ABI, data: call.data as Address }).args?.map(String)).toEqual([
      expect.stringMatching(new RegExp(RECIPIENT, 'i')),
      '1000',
    ]);
    expect([call.to, call.value]).toEqual([token.token, 0n]);
    expect(call.gasLimit).toBeGreaterThan(50_000n);
    expect(gasCost % call.gasLimit).toBe(0n);
    expect(gasCost / call.gasLimit).toBeGreaterThan(1_000_000_000n);
  });

  it('is a plain transaction of the native coin', async () => {
    const { call } = await plan(NATIVE, RECIPIENT, 7n);

    expect(call).toMatchObject({ to: RECIPIENT, data: '0x', value: 7n });
    expect(call.gasLimit).toBeGreaterThanOrEqual(21_000n);
  });

  it('is read back from its call, and nothing else is taken for one', async () => {
    const planning = transferPlanning(settingsFor(chain.url));
    const [{ call: ofToken }, { call: ofCoin }] = [
      await plan(token, RECIPIENT, 1_000n),
      await plan(NATIVE, RECIPIENT, 7n),
    ];

    expect([ofToken, ofCoin].map((call) => planning.paidBy('sandbox', call))).toEqual([
      { token: token.token, to: RECIPIENT, amount: 1_000n },
      { token: null, to: RECIPIENT, amount: 7n },
    ]);
    const others = [
      { ...ofToken, data: `${ofToken.data}00` },
      { ...ofToken, value: 1n },
      { ...ofToken, data: '0x095ea7b3' },
    ];
    expect(others.map((call) => planning.paidBy('sandbox', call))).toEqual([null, null, null]);
  });

  it('goes through by the next endpoint where one does not answer', async () => {
    const dead = new StubNode();
    const url = await dead.start();

    const { call } = await plan(token, RECIPIENT, 1n, [url, chain.url]);
    await dead.stop();

    expect(call.to).toBe(token.token);
  });

  it('takes at most the gas that a transfer may take on its network', async () => {
    const refused = plan(NATIVE, BURNING, 1n);

    await expect(refused).rejects.toMatchObject({
      reason: 'recipient',
      message: expect.stringMatching(/would take \d{8} gas, and a transfer may take 200000 \(transfer_gas\)/),
    });
    await expect(plan(token, RECIPIENT, 1n, [chain.url], { transfer_gas: 21_000 })).rejects.toThrow(
      'may take 21000',
    );
  });

  it('takes a few million where the chain counts its base chain’s price in gas', async () => {
    const [network] = settingsFor(chain.url, { chain_id: 42_161 }).networks;

    expect(network).toMatchObject({ transferGas: 3_000_000n });
  });

  it.each([
    ['more of a token than there is', () => plan(token, RECIPIENT, 1_001n), 'balance'],
    ['more coin than there is', () => plan(NATIVE, RECIPIENT, 10n ** 30n), 'balance'],
    ['a token to a recipient that it refuses', () => plan(token, `0x${'00'.repeat(20)}`, 1n), 'recipient'],
    ['coin to a contract that refuses it', () => plan(NATIVE, REFUSING, 1n), 'recipient'],
    ['to the sender, who gains nothing', () => plan(token, account, 1n), 'recipient'],
    ['what is no token', () => plan({ ...token, token: RECIPIENT }, RECIPIENT, 1n), 'recipient'],
  ])('is refused for %s', async (_, planned, reason) => {
    const refused = planned();

    await expect(refused).rejects.toBeInstanceOf(TransferRefused);
    await expect(refused).rejects.toMatchObject({ reason });
  });
});
