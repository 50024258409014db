import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { settingsFor } from '../../../testing/sample-configuration.js';
import { StubNode } from '../../../testing/stub-node.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { EndpointAccounts } from './endpoint-accounts.js';

const HASH = `0x${'ab'.repeat(32)}`;
const RECEIPT = { transactionHash: HASH, blockNumber: '0x9', status: '0x1', gasUsed: '0x5208' };

let node: StubNode;
let url: string;
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
  node.answers('eth_getTransactionCount', '0x1');
  node.answers('eth_getBlockByNumber', null);
});
afterEach(() => node.stop());

function view() {
  const settings = settingsFor(url, { finality: 'finalized' });
  const rpc = new JsonRpc(settings);
  const [configuration] = settings.networks as EvmNetworkConfiguration[];
  return new EndpointAccounts(rpc).view(
    rpc.endpoints('sandbox')[0]!,
    configuration!,
    `0x${'12'.repeat(20)}`,
    [HASH],
  );
}

describe('What a mined attempt cost', () => {
  it.each([
    ['its gas at the price of its block', { effectiveGasPrice: '0xa' }, 210_000n],
    ['its gas and what a rollup charged for data', { effectiveGasPrice: '0xa', l1Fee: '0x64' }, 210_100n],
    ['its gas alone where the fee for data is null', { effectiveGasPrice: '0xa', l1Fee: null }, 210_000n],
    ['unknown where the receipt says no price', { l1Fee: '0x64' }, null],
  ])('is %s', async (_, fields, gasCost) => {
    node.answers('eth_getTransactionReceipt', { ...RECEIPT, ...fields });

    expect((await view()).receipt).toEqual({ hash: HASH, blockNumber: 9, succeeded: true, gasCost });
  });

  it.each([['a word'], ['-0x1']])('is no answer where the price is %s', async (effectiveGasPrice) => {
    node.answers('eth_getTransactionReceipt', { ...RECEIPT, effectiveGasPrice });

    await expect(view()).rejects.toThrow('effectiveGasPrice is not a quantity');
  });
});
