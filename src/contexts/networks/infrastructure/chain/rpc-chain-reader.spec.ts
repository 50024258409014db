import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { SAMPLE_TOKEN, settingsFor } from '../../testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  inTopic,
  log,
  transfer,
} from '../../testing/stub-answers.js';
import { type Misbehaviour, StubNode } from '../../testing/stub-node.js';
import { JsonRpc } from './json-rpc.js';
import { TRANSFER_TOPIC } from './rpc-answers.js';
import { RpcChainReader } from './rpc-chain-reader.js';

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

/** A stall is noticed after so long; everything else answers far sooner. */
const PATIENCE_MS = 250;

function readerFor(changes: object = {}): RpcChainReader {
  const settings = settingsFor(url, changes, PATIENCE_MS);
  const gate = new NetworkGate();
  gate.set('sandbox', { kind: 'ready' });
  return new RpcChainReader(settings, new JsonRpc(settings), gate);
}

const json =
  (text: string, status = 200): Misbehaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
const refusal = (code: number, message: string) =>
  json(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }));

/** A node in trouble, whatever it is asked. */
const TROUBLES: [string, Misbehaviour][] = [
  ['an answer cut off', json('{"jsonrpc":"2.0","id":1,"result":{"number":"0x1')],
  ['nothing at all', json('')],
  ['JSON that is no object', json('null')],
  ['no result', json('{"jsonrpc":"2.0","id":1}')],
  ['a web page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['status 429', (response) => response.writeHead(429, { 'retry-after': '86400' }).end('slow down')],
  ['status 500', (response) => response.writeHead(500).end()],
  ['a stall before its headers', () => undefined],
  [
    'a stall within its body',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"'),
  ],
  ['a closed connection', (response) => void response.destroy()],
  ['an internal error', refusal(-32_603, 'internal error')],
  ['an empty list', json('{"jsonrpc":"2.0","id":1,"result":[]}')],
  ['an empty object', json('{"jsonrpc":"2.0","id":1,"result":{}}')],
  ['a number', json('{"jsonrpc":"2.0","id":1,"result":7}')],
];

describe('A chain read through a node in trouble', () => {
  it.each(TROUBLES)('takes %s for no answer', async (_, trouble) => {
    node.misbehaves(trouble);
    const reader = readerFor();

    const calls = [reader.head('sandbox'), reader.block('sandbox', 16), reader.transfers('sandbox', HASH)];
    const outcomes = await Promise.allSettled(calls);

    expect(outcomes).toEqual(calls.map(() => ({ status: 'rejected', reason: expect.any(ChainUnavailable) })));
  });

  it.each(TROUBLES)('recovers from %s by asking again', async (_, trouble) => {
    node.answers('eth_getBlockByNumber', block());
    node.misbehaves(trouble, 2);

    const header = await readerFor().block('sandbox', 16);

    expect(header?.hash).toBe(HASH);
    expect(node.asked).toHaveLength(3);
  });

  it('never tells the address of the node, which may hold an access key', async () => {
    const reader = readerFor({ rpc_urls: [`${url}/secret-key`] });

    const errors: unknown[] = [];
    for (const [, trouble] of TROUBLES) {
      node.misbehaves(trouble);
      await reader.head('sandbox').catch((error: unknown) => errors.push(error));
    }

    expect(errors).toHaveLength(TROUBLES.length);
    expect(errors.join('\n')).not.toMatch(/secret-key|127\.0\.0\.1/);
  });

  it('is not read while it is not proven to be the right chain', async () => {
    const settings = settingsFor(url);
    const reader = new RpcChainReader(settings, new JsonRpc(settings), new NetworkGate());

    await expect(reader.block('sandbox', 16)).rejects.toThrow('sandbox did not answer: it is not proven');
    expect(node.asked).toEqual([]);
  });
});

describe('The head of a chain', () => {
  it.each([
    [1, 16],
    [3, 14],
    [17, 0],
    [18, null],
  ])('with %i confirmations makes block %s final', async (confirmations, finalNumber) => {
    node.answers('eth_getBlockByNumber', block());

    const { head, finalNumber: found } = await readerFor({ finality: { confirmations } }).head('sandbox');

    expect(head).toEqual({
      number: 16,
      hash: HASH,
      parentHash: OTHER_HASH,
      time: new Date(0x65000000 * 1_000),
    });
    expect(found).toBe(finalNumber);
  });

  it.each([
    ['0x9', 9],
    ['0x20', 16],
  ])('takes the finalized block %s, but none past the head', async (number, finalNumber) => {
    const blocks: Record<string, object> = {
      latest: block(),
      finalized: block({ number, hash: OTHER_HASH }),
    };
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) => blocks[params[0] ?? '']);

    const head = await readerFor({ finality: 'finalized' }).head('sandbox');

    expect(head.finalNumber).toBe(finalNumber);
  });

  it('has no final block while the node knows none', async () => {
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : null,
    );

    expect((await readerFor({ finality: 'finalized' }).head('sandbox')).finalNumber).toBeNull();
  });
});

describe('A block by its number', () => {
  it('is null where the node has none', async () => {
    node.answers('eth_getBlockByNumber', null);

    expect(await readerFor().block('sandbox', 16)).toBeNull();
  });

  it.each([
    ['another number', { number: '0x11' }],
    ['no hash, as a pending one', { hash: null }],
    ['a short hash', { hash: '0xab' }],
    ['no parent', { parentHash: undefined }],
    ['a number for a time', { timestamp: 1_694_498_816 }],
    ['a time past what a date holds', { timestamp: '0xffffffffffff' }],
  ])('is refused with %s', async (_, changes) => {
    node.answers('eth_getBlockByNumber', block(changes));

    await expect(readerFor().block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The transfers of a block', () => {
  it('are asked by its hash, for the catalogued tokens only', async () => {
    node.answers('eth_getLogs', [log()]);

    expect(await readerFor().transfers('sandbox', HASH)).toEqual([transfer()]);
    expect(node.asked[0]?.params).toEqual([
      { blockHash: HASH, address: [SAMPLE_TOKEN.toLowerCase()], topics: [TRANSFER_TOPIC] },
    ]);
  });

  it('are in order, each once, without those of nothing', async () => {
    const nothing = log({ logIndex: '0x8', data: `0x${'0'.repeat(64)}` });
    node.answers('eth_getLogs', [log({ logIndex: '0x9' }), log(), nothing, log()]);

    expect(await readerFor().transfers('sandbox', HASH)).toEqual([transfer(), transfer({ logIndex: 9 })]);
  });

  it.each([
    ['of another block', { blockHash: OTHER_HASH }],
    ['that were removed', { removed: true }],
    ['of a contract that was not asked for', { address: TO }],
    ['of another event', { topics: [OTHER_HASH, inTopic(FROM), inTopic(TO)] }],
    ['with more topics than a log can have', { topics: [...log().topics, inTopic(TO), inTopic(TO)] }],
    ['with a topic cut off', { topics: [TRANSFER_TOPIC, inTopic(FROM), inTopic(TO).slice(0, -2)] }],
    ['without topics', { topics: [] }],
    ['with data cut off within a byte', { data: '0x123' }],
    ['without data', { data: undefined }],
    ['without a position', { logIndex: undefined }],
    ['without a transaction', { transactionHash: null }],
    ['without a block', { blockHash: undefined }],
  ])('are refused if among them are logs %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    await expect(readerFor().transfers('sandbox', HASH)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it.each([
    ['a third indexed argument, as ERC-721 has', { topics: [...log().topics, inTopic(TO)], data: '0x' }],
    ['an argument less', { topics: [TRANSFER_TOPIC, inTopic(FROM)] }],
    ['a recipient that is no address', { topics: [TRANSFER_TOPIC, inTopic(FROM), OTHER_HASH] }],
    ['no amount', { data: '0x' }],
    ['an odd length of data', { data: `0x${'11'.repeat(33)}` }],
  ])('are read past a log under their topic with %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    expect(await readerFor().transfers('sandbox', HASH)).toEqual([transfer()]);
  });

  it('are refused if two of them share a position', async () => {
    node.answers('eth_getLogs', [log(), log({ data: `0x${'1'.repeat(64)}` })]);

    await expect(readerFor().transfers('sandbox', HASH)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('are refused if the node does not know the block, though it answers with none', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByHash', null);

    await expect(readerFor().transfers('sandbox', HASH)).rejects.toThrow('the node has no such block');
  });

  it('are none where the block rules them out', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByHash', block({ logsBloom: EMPTY_BLOOM }));

    expect(await readerFor().transfers('sandbox', HASH)).toEqual([]);
    expect(node.asked).toHaveLength(2);
  });

  it('are asked for again where none came though the block may hold some', async () => {
    let asked = 0;
    node.answers('eth_getLogs', () => ((asked += 1) === 1 ? [] : [log()]));
    node.answers('eth_getBlockByHash', block());

    expect(await readerFor().transfers('sandbox', HASH)).toEqual([transfer()]);
  });

  it('are refused if the node refuses to look up the block', async () => {
    node.misbehaves(refusal(-32_000, 'unknown block'));

    await expect(readerFor().transfers('sandbox', HASH)).rejects.toThrow(
      'the node refused (-32000): unknown block',
    );
  });
});
