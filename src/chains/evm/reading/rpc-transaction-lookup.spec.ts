import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  log as blockLog,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '../evm-network.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { IdentifiedNetworks } from './watched-assets.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { RpcTransactionLookup } from './rpc-transaction-lookup.js';

const BLOCK = OTHER_HASH;
const TOKEN = `0x${'7e'.repeat(20)}`;

const transaction = (changes: object = {}) => ({
  hash: HASH,
  blockHash: BLOCK,
  blockNumber: '0x10',
  transactionIndex: '0x2',
  from: FROM,
  to: TOKEN,
  value: '0x0',
  ...changes,
});
const receipt = (changes: object = {}) => ({
  transactionHash: HASH,
  blockHash: BLOCK,
  blockNumber: '0x10',
  transactionIndex: '0x2',
  status: '0x1',
  logs: [],
  ...changes,
});
const log = (changes: object = {}) =>
  blockLog({ address: TOKEN, blockHash: BLOCK, transactionHash: HASH, ...changes });

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

function lookup(changes: object = {}, readiness = new NetworkReadiness()): RpcTransactionLookup {
  readiness.set('sandbox', { kind: 'ready' });
  return connected(changes, readiness);
}

function connected(changes: object, readiness: NetworkReadiness, network = 'sandbox'): RpcTransactionLookup {
  const settings = settingsFor(url, changes);
  const rpc = new JsonRpc(settings);
  return new RpcTransactionLookup(
    network,
    new IdentifiedNetworks(settings, new ForwarderDerivations(settings), readiness),
    new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]),
    rpc,
  );
}

function knows(of: { transaction?: object | null; receipt?: object | null }): void {
  node.answers('eth_getTransactionByHash', of.transaction ?? null);
  node.answers('eth_getTransactionReceipt', of.receipt ?? null);
}

describe('The lookup of a transaction', () => {
  it('finds all token transfers in it, catalogued or not, by one query for each fact', async () => {
    const other = `0x${'0e'.repeat(20)}`;
    knows({
      transaction: transaction(),
      receipt: receipt({ logs: [log(), log({ address: other, logIndex: '0x8', data: wordOf(3n) })] }),
    });

    const found = await lookup().find(HASH);

    const moved = { kind: 'log', transactionHash: HASH, from: FROM, to: TO };
    expect(found).toEqual({
      blockNumber: 16,
      blockHash: BLOCK,
      succeeded: true,
      transfers: [
        { ...moved, index: 7, token: TOKEN, amount: 1_500n },
        { ...moved, index: 8, token: other, amount: 3n },
      ],
    });
    expect(node.asked.map(({ method, params }) => [method, params])).toEqual([
      ['eth_getTransactionByHash', [HASH]],
      ['eth_getTransactionReceipt', [HASH]],
    ]);
  });

  it.each([
    ['ETH', { assets: [sampleAsset({ token: 'ETH', symbol: 'ETH', decimals: 18 })] }],
    ['native', {}],
  ])('finds native value, named by the catalogue or else as native: %s', async (token, changes) => {
    knows({ transaction: transaction({ to: TO, value: '0x5' }), receipt: receipt() });

    expect(await lookup(changes).find(HASH)).toMatchObject({
      transfers: [{ kind: 'call', index: 2, token, from: FROM, to: TO, amount: 5n }],
    });
  });

  it('knows that a reverted transaction moved nothing', async () => {
    knows({ transaction: transaction({ to: TO, value: '0x5' }), receipt: receipt({ status: '0x0' }) });

    expect(await lookup().find(HASH)).toEqual({
      blockNumber: 16,
      blockHash: BLOCK,
      succeeded: false,
      transfers: [],
    });
  });

  it('distinguishes a pending transaction from an unknown one', async () => {
    knows({ transaction: transaction({ blockHash: null, blockNumber: null, to: TO, value: '0x5' }) });
    const waiting = await lookup().find(HASH);
    knows({});
    const unknown = await lookup().find(HASH);

    expect(waiting).toEqual({ blockNumber: null, blockHash: null, succeeded: true, transfers: [] });
    expect(unknown).toBe('unknown');
  });

  it.each([
    ['another transaction', { receipt: receipt({ transactionHash: BLOCK }) }],
    ['a log of another block', { receipt: receipt({ logs: [log({ blockHash: HASH })] }) }],
    ['half an address', { transaction: transaction({ to: '0x12', value: '0x5' }), receipt: receipt() }],
  ])('rejects an answer with a wrong part: %s', async (_, told) => {
    knows(told);

    await expect(lookup().find(HASH)).rejects.toThrow(ChainUnavailable);
  });

  it('gives up on a silent node before the timeout of a call', async () => {
    node.misbehaves(() => undefined);

    await expect(lookup().find(HASH)).rejects.toThrow('in time');
  });

  it('queries no chain that is not proven to be the right one', async () => {
    knows({ transaction: transaction(), receipt: receipt() });

    await expect(connected({}, new NetworkReadiness()).find(HASH)).rejects.toThrow(ChainUnavailable);
    await expect(connected({}, new NetworkReadiness(), 'elsewhere').find(HASH)).rejects.toThrow(
      ChainUnavailable,
    );
    expect(node.asked).toEqual([]);
  });
});
