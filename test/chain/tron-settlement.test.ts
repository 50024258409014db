import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, type Hex, parseEventLogs } from 'viem';
import { implementationOf } from '#chains/forwarders/forwarder-artifacts.js';
import { ForwarderDerivation } from '#chains/forwarders/forwarder-derivation.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { contractArtifact } from '#sandbox/chain/deterministic-deployment.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { evmAddress } from '#sandbox/tron/tron-address.js';
import type { TronFacade } from '#sandbox/tron/tron-facade.js';
import type { TronWallet } from '#sandbox/tron/tron-wallet.js';
import { TRON_CHAIN_ID, startTestTron, type TestTron } from '#test/support/tron-network.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';

const TRX = 1_000_000;
const FACTORY_ABI = contractArtifact('ForwarderFactory').abi;
const LIMITS = { reading: 100_000n, payout: 650_000n, creation: 55_000n, fee: 200_000n, reserve: 20_000n };
const TERMS = {
  settlementAddress: '0x5e771e5e771e5e771e5e771e5e771e5e771e5e77',
  feeRecipient: '0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0',
  feeBasisPoints: 100,
};
const AMOUNT = 10_000_000n;

let tron: TestTron;
let facade: TronFacade;
let wallet: TronWallet;
let factory: Address;
let token: Address;

beforeAll(async () => {
  tron = await startTestTron();
  ({ facade, wallet } = tron);
  const display = (address: string) => toDisplayAddress(evmAddress(address)) as Address;
  [factory, token] = [display(tron.factory), display(tron.token)];
});
afterAll(() => tron.stop());

const requestId = (at: number) => `0198c0de-7000-7abc-8def-${at.toString(16).padStart(12, '0')}`;
const derivation = () =>
  new ForwarderDerivation(factory, TRON_CHAIN_ID, implementationOf(factory, 0xff, 'TronForwarder'));
const forwarderOf = (at: number) =>
  derivation().addressOf(derivation().initCodeHash(TERMS), requestId(at)) as Address;
const balanceOf = (holder: Address) => wallet.read(tron.token, TOKEN_ABI, 'balanceOf', [holder]);

function settlement(requests: readonly number[], undeployed: boolean): unknown[] {
  const { settlementAddress, feeRecipient, feeBasisPoints } = TERMS;
  const terms = {
    settlement: settlementAddress,
    feeRecipient,
    feeBasisPoints,
    homeChainId: BigInt(TRON_CHAIN_ID),
  };
  const salts = requests.map((at): Hex => `0x${requestId(at).replaceAll('-', '').padEnd(64, '0')}`);
  return [[{ terms, token, undeployed, salts }], LIMITS];
}

const pay = (to: Address) => wallet.call(tron.token, TOKEN_ABI, 'transfer', [to, AMOUNT]);

async function settledBy(id: string): Promise<string[]> {
  type Receipt = { logs: { address: Address }[] };
  const { logs } = await chainRpc<Receipt>(`${facade.url}/jsonrpc`, 'eth_getTransactionReceipt', [`0x${id}`]);
  const own = logs.filter(({ address }) => address === factory.toLowerCase());
  return parseEventLogs({ abi: FACTORY_ABI, logs: own as never }).map((log) => {
    const { eventName, args } = log as unknown as { eventName: string; args: { forwarder?: string } };
    return `${eventName} ${args.forwarder ?? ''}`.trim();
  });
}

describe('Settlements on the TRON network of the sandbox', () => {
  it('creates a factory that derives the addresses of the service', async () => {
    expect(await wallet.read(tron.factory, FACTORY_ABI, 'implementation', [])).toBe(
      derivation().implementation,
    );
    const [groups] = settlement([1], true) as [[{ terms: object; salts: Hex[] }], object];
    const [{ terms, salts }] = groups;

    expect(await wallet.read(tron.factory, FACTORY_ABI, 'addressOf', [terms, salts[0]])).toBe(forwarderOf(1));
  });

  it.each([1, 20])('settles the first and the later payments in batches of %i', async (count) => {
    const requests = Array.from({ length: count }, (_, i) => 100 * count + i);
    for (const undeployed of [true, false]) {
      const before = (await balanceOf(TERMS.settlementAddress as Address)) as bigint;
      for (const at of requests) await pay(forwarderOf(at));
      await facade.chain.mine();

      const id = await wallet.call(tron.factory, FACTORY_ABI, 'settle', settlement(requests, undeployed));
      await facade.chain.mine();

      expect(await settledBy(id)).toEqual(requests.map((at) => `Settled ${forwarderOf(at)}`));
      const after = (await balanceOf(TERMS.settlementAddress as Address)) as bigint;
      expect(after - before).toBe((AMOUNT * 99n * BigInt(count)) / 100n);
    }
  });

  it('settles a part of a batch whose fee limit is too low, and the rest with the next batch', async () => {
    const requests = Array.from({ length: 20 }, (_, i) => 5_000 + i);
    for (const at of requests) await pay(forwarderOf(at));
    await facade.chain.mine();
    const args = settlement(requests, true);

    const partial = await wallet.call(tron.factory, FACTORY_ABI, 'settle', args, 200 * TRX);
    await facade.chain.mine();
    const first = await settledBy(partial);
    const rest = await wallet.call(tron.factory, FACTORY_ABI, 'settle', settlement(requests, false));
    await facade.chain.mine();

    expect(first.at(-1)).toBe('Stopped');
    const settled = first.slice(0, -1);
    expect(settled.length).toBeGreaterThan(0);
    expect([...settled, ...(await settledBy(rest))]).toEqual(
      requests.map((at) => `Settled ${forwarderOf(at)}`),
    );
  });

  it('settles nothing without TRX for the fee, and keeps the payments', async () => {
    await pay(forwarderOf(9_000));
    await facade.chain.mine();
    const id = await wallet.call(tron.factory, FACTORY_ABI, 'settle', settlement([9_000], true), 1 * TRX);
    await facade.chain.mine();

    expect(await settledBy(id)).toEqual([]);
    expect(await balanceOf(forwarderOf(9_000))).toBe(AMOUNT);
  });
});
