import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Address,
  type Hex,
  createWalletClient,
  encodeFunctionData,
  http,
  publicActions,
  toHex,
} from 'viem';
import type { TestChain } from '#test/support/chain.js';
import { saltOf } from '../forwarders/forwarder-derivation.js';
import { deployFactory, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { RealChain } from '#contexts/networks/testing/real-chain.js';
import { contractArtifact } from '../forwarders/forwarder-artifacts.js';

const RECIPIENT = `0x${'22'.repeat(20)}` as const;
const MINT_FROM = `0x${'00'.repeat(20)}`;

let world: RealChain;
let chain: TestChain;
let token: Address;
let account: Address;

beforeAll(async () => {
  world = await RealChain.start();
  ({ node: chain, token, account } = world);
});
afterAll(() => chain.stop());

describe('The native coin of a real chain', () => {
  const wallet = () =>
    createWalletClient({ transport: http(chain.url), account, pollingInterval: 20 }).extend(publicActions);
  const send = async (transaction: { to?: Address; value?: bigint; data?: Hex; gas?: bigint }) => {
    const hash = await wallet().sendTransaction({ ...transaction, to: transaction.to ?? null, chain: null });
    return wallet().waitForTransactionReceipt({ hash });
  };

  it('tells of each call with value where it went, also of one that reverted', async () => {
    const layer = world.connectNative();
    const paid = await send({ to: RECIPIENT, value: 123n });
    // The token has no payable function.
    const reverted = await send({ to: token, value: 5n, gas: 100_000n });
    const created = await send({ data: '0x00', value: 0n });

    const [calls, ofReverted, ofCreation] = await Promise.all(
      [paid, reverted, created].map(({ blockHash }) => world.contentsOf(layer, blockHash)),
    );
    const told = {
      kind: 'call',
      transactionHash: paid.transactionHash,
      index: 0,
      token: 'ETH',
      from: account.toLowerCase(),
      to: RECIPIENT,
      amount: 123n,
    };
    const succeeded = (hash: string, transaction: string) =>
      layer.reader.succeeded('sandbox', hash, [transaction]);

    expect(calls?.transfers).toEqual([told]);
    expect(ofReverted?.transfers).toMatchObject([{ amount: 5n, to: token.toLowerCase() }]);
    expect(ofCreation?.transfers).toEqual([]);
    expect(await succeeded(paid.blockHash, paid.transactionHash)).toEqual(new Set([paid.transactionHash]));
    expect(reverted.status).toBe('reverted');
    expect(await succeeded(reverted.blockHash, reverted.transactionHash)).toEqual(new Set());
    expect(await layer.secondEndpoint.holds('sandbox', paid.blockHash, calls!.transfers)).toEqual([true]);
    expect(await layer.secondEndpoint.holds('sandbox', reverted.blockHash, ofReverted!.transfers)).toEqual([
      false,
    ]);
  });

  it('tells balances as they were at a block', async () => {
    const { reader, secondEndpoint } = world.connectNative();
    const address = toHex(randomBytes(20));
    const first = await send({ to: address, value: 40n });
    const second = await send({ to: address, value: 2n });

    const at = (hash: string) => reader.balances('sandbox', hash, [address, MINT_FROM, RECIPIENT]);

    expect((await at(first.blockHash))[0]).toBe(40n);
    expect((await at(second.blockHash))[0]).toBe(42n);
    expect(await secondEndpoint.balances('sandbox', second.blockHash, [address])).toEqual([42n]);
  });

  it('tells balances of a token as they were at a block', async () => {
    const { reader, secondEndpoint } = world.connect();
    const address = toHex(randomBytes(20));
    const first = await sendToToken(chain.url, token, 'mint', [address, 40n]);
    const second = await sendToToken(chain.url, token, 'mint', [address, 2n]);

    const at = (hash: string) =>
      reader.tokenBalances('sandbox', hash, token.toLowerCase(), [toHex(randomBytes(20)), address]);

    expect([await at(first), await at(second)]).toEqual([
      [0n, 40n],
      [0n, 42n],
    ]);
    expect(await secondEndpoint.tokenBalances('sandbox', second, token.toLowerCase(), [address])).toEqual([
      42n,
    ]);
  });

  it('tells of a token that reverts or burns its gas that it gives no balance', async () => {
    const { reader } = world.connect();
    const [reverting, burning] = [`0x${'0d'.repeat(20)}`, `0x${'0e'.repeat(20)}`];
    await chain.rpc('anvil_setCode', [reverting, '0x60006000fd']);
    await chain.rpc('anvil_setCode', [burning, '0x5b600056']);
    await chain.mine(1);
    const { head } = await reader.head('sandbox');

    for (const failing of [reverting, burning, `0x${'0f'.repeat(20)}`])
      expect(await reader.tokenBalances('sandbox', head.hash, failing, [account, account])).toEqual([
        null,
        null,
      ]);
    expect(await reader.tokenBalances('sandbox', head.hash, token.toLowerCase(), [MINT_FROM])).toEqual([0n]);
  });

  it('tells what deposit addresses paid out, of native coin and of tokens', async () => {
    const layer = world.connectNative();
    const { factory } = await deployFactory(chain.url);
    const requests = [randomUUID(), randomUUID()];
    const terms = { settlementAddress: account, feeRecipient: RECIPIENT, feeBasisPoints: 1_000 };
    const [native, ofToken] = requests.map(
      (requestId) => layer.addresses.derive('sandbox', terms, { requestId }).address as Address,
    );
    await send({ to: native!, value: 1_000n });
    await sendToToken(chain.url, token, 'mint', [ofToken, 700n]);
    const groups = [native, ofToken].map((_, i) => ({
      terms: { settlement: account, feeRecipient: RECIPIENT, feeBasisPoints: 1_000, homeChainId: 31_337n },
      token: i === 0 ? MINT_FROM : token,
      undeployed: true,
      salts: [toHex(saltOf(requests[i]!))],
    }));
    const abi = contractArtifact('ForwarderFactory').abi;
    const limits = {
      reading: 100_000n,
      payout: 650_000n,
      creation: 55_000n,
      fee: 200_000n,
      reserve: 20_000n,
    };
    const data = encodeFunctionData({ abi, functionName: 'settle', args: [groups, limits] });

    const settled = await send({ to: factory as Address, data, gas: 5_000_000n });

    for (const isFinal of [false, true]) {
      const { transfers, payouts } = await world.contentsOf(layer, settled.blockHash, isFinal);
      const { transactionHash } = settled;
      const paid = { transactionHash, from: factory.toLowerCase() };
      expect(payouts).toEqual([
        {
          ...paid,
          logIndex: 0,
          address: native!.toLowerCase(),
          token: 'ETH',
          toSettlement: 900n,
          toFee: 100n,
        },
        {
          ...paid,
          logIndex: 3,
          address: ofToken!.toLowerCase(),
          token: token.toLowerCase(),
          toSettlement: 630n,
          toFee: 70n,
        },
      ]);
      expect(transfers.map(({ kind, amount }) => [kind, amount])).toEqual([
        ['log', 70n],
        ['log', 630n],
      ]);
    }
  });
});
