import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { type RpcRequest, StubNode } from '#contexts/networks/testing/stub-node.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { EndpointAccountQueries } from './endpoint-account-queries.js';
import { serializeUnsigned } from './transaction-bytes.js';

const word = (digit: string) => `0x${digit.repeat(64)}`;
const HASH = word('a');
const SENDER = `0x${'12'.repeat(20)}`;
const PLACE = { blockHash: word('9'), blockNumber: '0x9', transactionIndex: '0x1' };
const RECEIPT = {
  ...PLACE,
  transactionHash: HASH,
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0xa',
};
const TRANSACTION = { ...PLACE, hash: HASH, from: SENDER, nonce: '0x3' };
const block = (number: number, changes: object = {}) => ({
  number: `0x${number}`,
  hash: word(`${number}`),
  parentHash: word(`${number - 1}`),
  timestamp: '0x1',
  transactions: [word('b'), HASH],
  ...changes,
});

let node: StubNode;
let url: string;
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
  node.answers('eth_getTransactionCount', '0x4');
  node.answers('eth_blockNumber', '0x9');
  node.answers('eth_getTransactionReceipt', RECEIPT);
  node.answers('eth_getTransactionByHash', TRANSACTION);
  blocks();
});
afterEach(() => node.stop());

/** @param changes changed fields of blocks, by block number */
function blocks(changes: Record<number, object | null> = {}): void {
  node.answers('eth_getBlockByNumber', ({ params: [at] }: RpcRequest) => {
    const number = at === 'finalized' ? 8 : Number(at);
    return changes[number] === null ? null : block(number, changes[number]);
  });
}

function view() {
  const settings = settingsFor(url, { finality: 'finalized' });
  const rpc = new JsonRpc(settings);
  const [configuration] = settings.networks as EvmNetworkConfiguration[];
  const call = { to: SENDER, data: '0x', value: 0n, gasLimit: 30_000n };
  const fees = { maxFee: 20n, priorityFee: 1n };
  const raw = serializeUnsigned({ chainId: 1, nonce: 3, call, fees });
  return new EndpointAccountQueries(rpc).nonceObservation(
    rpc.endpoints('sandbox')[0]!,
    configuration!,
    { sender: SENDER, nonce: 3 },
    [{ hash: HASH, raw, fees }],
  );
}

describe('The cost of a mined attempt', () => {
  const isthmus = { operatorFeeScalar: '0xf4240', operatorFeeConstant: '0x5' };
  it.each([
    ['its gas at the price of its block', {}, 210_000n],
    ['all of its gas at the highest price', { gasUsed: '0x7530', effectiveGasPrice: '0x14' }, 600_000n],
    ['its gas and what a rollup charged for data', { l1Fee: '0x64' }, 210_100n],
    ['its gas alone where the fee for data is null', { l1Fee: null }, 210_000n],
    ['its gas, data and operator by the scalar in millionths', { l1Fee: '0x64', ...isthmus }, 231_105n],
    [
      'its gas and operator by the scalar in hundreds, where data has a price in gas',
      { operatorFeeScalar: '0x2', operatorFeeConstant: '0x5', daFootprintGasScalar: '0x190' },
      4_410_005n,
    ],
    ['unknown where the receipt says no price', { effectiveGasPrice: undefined, l1Fee: '0x64' }, null],
  ])('is %s', async (_, fields, gasCost) => {
    node.answers('eth_getTransactionReceipt', { ...RECEIPT, ...fields });

    expect((await view()).receipt).toEqual({
      hash: HASH,
      blockNumber: 9,
      blockHash: word('9'),
      parentHash: word('8'),
      succeeded: true,
      gasCost,
    });
  });

  it.each([['a word'], ['-0x1']])(
    'is not known if the price is not a quantity: %s',
    async (effectiveGasPrice) => {
      node.answers('eth_getTransactionReceipt', { ...RECEIPT, effectiveGasPrice });

      await expect(view()).rejects.toThrow('effectiveGasPrice is not a quantity');
    },
  );
});

describe('A receipt of an attempt', () => {
  const says = (method: string, answer: unknown) => () => node.answers(method, answer);
  const receipt = (changes: object) => says('eth_getTransactionReceipt', { ...RECEIPT, ...changes });
  const transaction = (changes: object) => says('eth_getTransactionByHash', { ...TRANSACTION, ...changes });
  it.each<[string, () => void, string]>([
    ['above the head of its endpoint', receipt({ blockNumber: '0x2540be400' }), 'above the newest block 9'],
    ['with more gas than the call may use', receipt({ gasUsed: '0x7531' }), 'gasUsed is above the limit'],
    ['at a higher price than was offered', receipt({ effectiveGasPrice: '0x15' }), 'above the offered 20'],
    ['with a status that is none', receipt({ status: '0x2' }), 'the status is 2'],
    [
      'of another transaction',
      receipt({ transactionHash: word('b') }),
      'receipt belongs to another transaction',
    ],
    [
      'of another block than the one at its number',
      receipt({ blockHash: word('c') }),
      'another block was returned',
    ],
    [
      'of another place in its block',
      receipt({ transactionIndex: '0x0' }),
      'not at the position that its receipt states',
    ],
    ['of a block that is not there', () => blocks({ 9: null }), 'the node has no block 9'],
    [
      'of a block without it',
      () => blocks({ 9: { transactions: [] } }),
      'not at the position that its receipt states',
    ],
    ['of a block that follows none', () => blocks({ 8: { hash: word('c') } }), 'does not follow'],
    ['whose transaction is unknown', says('eth_getTransactionByHash', null), 'is not an object'],
    ['whose transaction is in another block', transaction({ blockHash: word('c') }), 'not the one in its'],
    [
      'whose transaction is another sender’s',
      transaction({ from: `0x${'13'.repeat(20)}` }),
      'not the one in its',
    ],
    ['whose transaction has another nonce', transaction({ nonce: '0x4' }), 'not the one in its'],
  ])('is rejected if it cannot belong to the attempt: one %s', async (_, lie, why) => {
    lie();

    await expect(view()).rejects.toThrow(why);
  });
});
