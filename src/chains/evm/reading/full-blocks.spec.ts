import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import { FloodedChain, addressOf, createTransferLogs } from '../testing/flooded-chain.js';
import { nodeLayer } from '../testing/node-layer.js';
import { nativeAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { EMPTY_BLOOM, OTHER_HASH, hex } from '#contexts/networks/testing/stub-answers.js';
import { type RpcRequest, Refusal, StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

const FULL = 12;
const COUNT = 60;
const LIMITS = {
  parsedBytes: 6_000,
  heldMovements: 7,
  streaming: { silenceMs: 60_000, totalMs: 60_000, elementBytes: 20_000 },
};

let node: StubNode;
let url: string;
let chain: FloodedChain;
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
  // The chain has no logs, because only the number of transactions matters here.
  chain = new FloodedChain(
    node,
    FULL,
    createTransferLogs(FULL, 2 * COUNT, () => ({})),
    { logsBloom: EMPTY_BLOOM },
    20,
  );
  chain.caps = { eth_getLogs: 0 };
  node.answers('eth_getLogs', []);
  const answerTo = node.answerTo.bind(node);
  node.answerTo = (request) => spoiled(request, answerTo(request) as Answer);
});
afterEach(() => node.stop());

interface Answer {
  readonly result?: {
    readonly transactionIndex?: string;
    readonly number?: string;
    readonly transactions?: readonly object[];
  };
}

let spoil: (transactions: readonly object[]) => readonly object[];
let refusesFull: boolean;
beforeEach(() => {
  spoil = (transactions) => transactions;
  refusesFull = false;
});

/** Changes the recipient of each transaction to a different address. */
function spoiled({ method, params, id }: RpcRequest, answer: Answer): object {
  if (answer.result?.transactionIndex !== undefined)
    return { ...answer, result: { ...answer.result, to: addressOf(Number(answer.result.transactionIndex)) } };
  if (params[1] !== true || answer.result?.transactions === undefined) return answer;
  if (answer.result.number !== hex(FULL)) return answer;
  if (refusesFull) {
    const refusal = new Refusal(-32_000, 'response size should not be greater than 10485760 bytes');
    return { jsonrpc: '2.0', id, error: { code: refusal.code, message: refusal.message } };
  }
  const transactions = answer.result.transactions.map((each, i) => ({ ...each, to: addressOf(i) }));
  const told = method === 'eth_getBlockByHash' ? spoil(transactions) : transactions;
  return { ...answer, result: { ...answer.result, transactions: told } };
}

async function calls(ours?: OwnAddressLookup): Promise<number[]> {
  const { networks, patience } = settingsFor(url, { assets: [nativeAsset()] });
  const settings = new NetworksSettings(networks, { ...patience, retryAfterMs: [], ...LIMITS });
  const blocks = await nodeLayer(settings).reader.blocks(10, 20, null, ours);
  expect(blocks).toHaveLength(11);
  return blocks.flatMap(({ transfers }) => transfers.map(({ index }) => index));
}
const all = Array.from({ length: COUNT }, (_, i) => i);

describe('A block with more transactions than one answer may have', () => {
  it('is read transaction by transaction if the endpoint does not answer so much', async () => {
    refusesFull = true;

    expect(await calls()).toEqual(all);
    expect(node.askedFor('eth_getTransactionByBlockHashAndIndex').length).toBeGreaterThanOrEqual(COUNT);
  });

  it.each([
    ['in parts', false],
    ['transaction by transaction', true],
  ])('keeps only own transfers if there are many, read %s', async (_, refused) => {
    refusesFull = refused;
    const ours = new Set([3, 30].map(addressOf));
    const own: OwnAddressLookup = async (recipients) =>
      new Set(recipients.map(({ address }) => address).filter((address) => ours.has(address)));

    const found = await calls(own);

    // Fewer than the maximum are held at the end, so their recipients are not looked up.
    expect(found).toEqual(expect.arrayContaining([3, 30]));
    expect(found.length).toBeLessThan(2 + LIMITS.heldMovements);
  });

  it.each<[string, (transactions: readonly object[]) => readonly object[], RegExp]>([
    ['lacks the last', (some) => some.slice(0, -1), /59 of 60 transactions were returned/],
    [
      'tells one of another block',
      (some) => some.with(9, { ...some[9], blockHash: OTHER_HASH }),
      /belongs to another block/,
    ],
  ])('is refused if the answer %s', async (_, change, reason) => {
    spoil = change;

    await expect(calls()).rejects.toThrow(reason);
  });
});
