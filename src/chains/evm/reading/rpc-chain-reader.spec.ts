import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { nodeLayer } from '../testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FROM,
  TO,
  HASH,
  OTHER_HASH,
  block,
  hex,
  log,
  wordOf,
  transfer,
} from '#contexts/networks/testing/stub-answers.js';
import { Refusal, StubNode, advanceMonotonicClock } from '#contexts/networks/testing/stub-node.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const hashAt = (number: number) => wordOf(0xb10c_0000 + number);
const at = (number: number, changes: object = {}) =>
  block({
    number: hex(number),
    hash: hashAt(number),
    parentHash: hashAt(number - 1),
    logsBloom: EMPTY_BLOOM,
    ...changes,
  });
const logAt = (number: number, changes: object = {}) =>
  log({ blockNumber: hex(number), blockHash: hashAt(number), ...changes });
const serve = (of: StubNode, newest = 2_000, changed: Record<number, object | null> = {}) =>
  of.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) => {
    const number = asked === 'latest' ? newest : Number(asked);
    return number > newest || changed[number] === null ? null : at(number, changed[number]);
  });

const readerFor = (changes: object = {}): ReturnType<typeof nodeLayer>['reader'] =>
  nodeLayer(settingsFor(url, changes)).reader;

describe('A chain that is not proven to be the right one', () => {
  it('is not read', async () => {
    const { reader } = nodeLayer(settingsFor(url), new NetworkReadiness());

    await expect(reader.blockHeader(16)).rejects.toThrow(
      'sandbox is unavailable: its endpoints have not been verified',
    );
    expect(node.asked).toEqual([]);
  });
});

describe('The head of a chain', () => {
  it.each([
    [1, 16],
    [3, 14],
    [17, 0],
    [18, null],
  ])(
    'makes a block final by the number of confirmations: with %i, block %s',
    async (confirmations, finalNumber) => {
      node.answers('eth_getBlockByNumber', block());

      const { head, finalNumber: found } = await readerFor({ finality: { confirmations } }).head();

      expect(head).toEqual({
        number: 16,
        hash: HASH,
        parentHash: OTHER_HASH,
        time: new Date(0x65000000 * 1_000),
      });
      expect(found).toBe(finalNumber);
    },
  );

  it.each([
    ['0x9', 9],
    ['0x20', 16],
  ])('has the finalized block of the node, but none past the head: %s', async (number, finalNumber) => {
    const blocks: Record<string, object> = {
      latest: block(),
      finalized: block({ number, hash: OTHER_HASH }),
    };
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) => blocks[params[0] ?? '']);

    const head = await readerFor({ finality: 'finalized' }).head();

    expect(head.finalNumber).toBe(finalNumber);
    expect(node.posts).toEqual([2]);
  });

  it.each([
    ['by null', () => null],
    [
      'by an error',
      () => {
        throw new Refusal(-32_000, 'finalized block not found');
      },
    ],
  ])('has no final block while the node names none: %s', async (_, finalized) => {
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : finalized(),
    );

    expect((await readerFor({ finality: 'finalized' }).head()).finalNumber).toBeNull();
  });

  it('is final by blocks, and the tags are requested separately, with confirmations by amount', async () => {
    const blocks: Record<string, object> = {
      latest: block(),
      safe: block({ number: '0xa', hash: OTHER_HASH }),
    };
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) => {
      const found = blocks[params[0] ?? ''];
      if (found === undefined) throw new Refusal(-32_000, 'finalized block not found');
      return found;
    });
    const reader = readerFor({ finality: 'finalized', confirmations: [{ require: 3 }] });

    expect((await reader.head()).finalNumber).toBe(14);
    expect(await reader.headerByTag('safe')).toMatchObject({ number: 10, hash: OTHER_HASH });
    expect(await reader.headerByTag('finalized')).toBeNull();
  });
});

describe('A block by its number', () => {
  it.each([
    ['another number', { number: '0x11' }],
    ['no hash, as a pending one', { hash: null }],
    ['a time past what a date holds', { timestamp: '0xffffffffffff' }],
  ])('is refused with a wrong header: %s', async (_, changes) => {
    node.answers('eth_getBlockByNumber', block(changes));

    await expect(readerFor().blockHeader(16)).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('A reader that requests a head once per block', () => {
  const SECONDS = 12;
  const sparing = (changes: object = {}) => {
    const settings = settingsFor(url, { block_seconds: SECONDS, ...changes }, undefined, {
      headPerBlock: true,
    });
    return nodeLayer(settings).reader;
  };
  const full = (number: number) => at(number, { transactions: [] });
  let now = 0;
  beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['tokens only', { assets: [sampleAsset()] }],
    ['tokens and the native coin', { assets: [sampleAsset(), nativeAsset()] }],
  ])('makes two calls for each new block, and none in between: %s', async (_, changes) => {
    let newest = 20;
    node.answers('eth_getBlockByNumber', ({ params: [, isFull] }: { params: [string, boolean] }) =>
      isFull ? full(newest) : at(newest),
    );
    node.answers('eth_getLogs', []);
    const reader = sparing(changes);
    for (; newest < 25; newest += 1) {
      for (let cycle = 0; cycle < 10; cycle += 1) await reader.head();
      const [read] = await reader.blocks(newest, newest, null);
      expect(read!.header.hash).toBe(hashAt(newest));
      now += SECONDS * 1_000;
    }

    expect(node.asked.map(({ method }) => method)).toEqual(
      Array.from({ length: 5 }, () => ['eth_getBlockByNumber', 'eth_getLogs']).flat(),
    );
  });

  it('returns the native transfers of the newest block', async () => {
    const parties = { from: FROM, to: TO, value: '0x1' };
    const paid = { ...parties, hash: wordOf(1), blockHash: hashAt(20), transactionIndex: '0x0' };
    node.answers('eth_getBlockByNumber', at(20, { transactions: [paid] }));
    node.answers('eth_getLogs', []);
    const reader = sparing({ assets: [sampleAsset(), nativeAsset()] });

    await reader.head();

    expect((await reader.blocks(20, 20, null))[0]!.transfers).toHaveLength(1);
    expect(node.askedFor('eth_getBlockByNumber')).toHaveLength(1);
  });

  it('reads the newest block in parts if it is too large for one answer', async () => {
    node.answers('eth_getBlockByNumber', ({ params: [number, isFull] }: { params: [string, boolean] }) => {
      if (isFull && number === 'latest') throw new Refusal(-32_000, 'response too large');
      return full(20);
    });
    node.answers('eth_getLogs', []);
    const reader = sparing({ assets: [nativeAsset()] });

    expect((await reader.head()).head.number).toBe(20);
    expect(await reader.blocks(20, 20, null)).toHaveLength(1);
    expect(node.askedFor('eth_getBlockByNumber').map(({ params }) => params)).toContainEqual(['0x14', true]);
  });

  it('requests the head again after a doubtful answer', async () => {
    serve(node, 20);
    const reader = sparing();
    await reader.head();

    reader.reportDoubtfulAnswer('it contradicts itself.');
    now += 1_000;
    await reader.head();

    expect(node.asked).toHaveLength(2);
  });

  it.each([
    [64, 2],
    [5, 5],
    [1, 10],
  ])(
    'requests the finalized block of 10 blocks as its usual delay requires: %i blocks',
    async (typical, requests) => {
      let newest = 20;
      node.answers('eth_getBlockByNumber', ({ params: [tag] }: { params: [string] }) =>
        tag === 'finalized' ? at(newest - 5) : at(newest),
      );
      const reader = sparing({
        finality: { tag: 'finalized', typical_confirmations: typical },
        block_seconds: 2,
      });
      const finals = [];
      for (; newest < 30; newest += 1) {
        finals.push((await reader.head()).finalNumber);
        now += 2_000;
      }

      expect(node.asked.filter(({ params }) => params[0] === 'finalized')).toHaveLength(requests);
      expect(finals[0]).toBe(15);
      expect(finals.at(-1)).toBeGreaterThanOrEqual(23);
    },
  );
});

describe('The reader of blocks in a row', () => {
  const ranges = () =>
    node
      .askedFor('eth_getLogs')
      .map(({ params: [filter] }) => filter as { fromBlock?: string; toBlock?: string; blockHash?: string })
      .map(({ fromBlock, toBlock, blockHash }) => blockHash ?? [Number(fromBlock), Number(toBlock)]);

  it('returns blocks in order, final ones by one range and others by hash', async () => {
    serve(node, 20);
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) => {
      if (filter.blockHash === undefined) return [logAt(11), logAt(13), logAt(13, { logIndex: '0x8' })];
      return filter.blockHash === hashAt(15) ? [logAt(15)] : [];
    });

    const blocks = await readerFor().blocks(10, 15, 13);

    expect(blocks.map(({ header, transfers }) => [header.number, transfers.length])).toEqual([
      [10, 0],
      [11, 1],
      [12, 0],
      [13, 2],
      [14, 0],
      [15, 1],
    ]);
    expect(ranges()).toEqual(expect.arrayContaining([[10, 13], hashAt(14), hashAt(15)]));
    expect(node.posts.length).toBe(3);
  });

  it('ends before the first block that the node lacks', async () => {
    node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) =>
      Number(asked) === 13 ? null : at(Number(asked)),
    );
    node.answers('eth_getLogs', []);
    const reader = readerFor();

    expect((await reader.blocks(10, 15, null)).map(({ header }) => header.number)).toEqual([10, 11, 12]);
    expect(await reader.blocks(13, 15, null)).toEqual([]);
    expect(await reader.blocks(10, 9, null)).toEqual([]);
  });

  it.each([
    ['query returned more than 10000 results', -32_005],
    ['eth_getLogs is limited to a 10 block range', -32_600],
    ['internal error', -32_603],
  ])('reads narrower ranges when the node refuses one: "%s"', async (message, code) => {
    serve(node, 60);
    node.answers(
      'eth_getLogs',
      ({ params: [filter] }: { params: [{ fromBlock: string; toBlock: string }] }) => {
        const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
        if (to - from >= 10) throw new Refusal(code, message);
        return Array.from({ length: to - from + 1 }, (_, i) => logAt(from + i));
      },
    );

    const blocks = await readerFor().blocks(11, 50, 60);

    expect(blocks.map(({ transfers }) => transfers.length)).toEqual(blocks.map(() => 1));
    expect(blocks).toHaveLength(40);
    expect(ranges().slice(0, 3)).toEqual([
      [11, 50],
      [11, 30],
      [11, 20],
    ]);
  });

  it('remembers the rejected width, and widens it slowly', async () => {
    serve(node, 1_000);
    let refusals = 0;
    node.answers(
      'eth_getLogs',
      ({ params: [filter] }: { params: [{ fromBlock: string; toBlock: string }] }) => {
        if (Number(filter.toBlock) - Number(filter.fromBlock) < 10) return [];
        refusals += 1;
        throw new Refusal(-32_005, 'block range too large');
      },
    );
    const reader = readerFor();

    await reader.blocks(1, 400, 1_000);
    const untilNarrow = refusals;
    await reader.blocks(401, 800, 1_000);

    expect(untilNarrow).toBeLessThanOrEqual(10);
    expect(refusals - untilNarrow).toBeLessThanOrEqual(2);
  });

  it.each([
    ['of another fork', { blockHash: OTHER_HASH }],
    ['past the end of the range', { blockNumber: '0x40' }],
    ['that were removed', { removed: true }],
  ])('rejects a range with logs %s', async (_, changes) => {
    serve(node, 20);
    node.answers('eth_getLogs', [logAt(11), logAt(12, changes)]);

    await expect(readerFor().blocks(10, 15, 20)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('reads blocks one by one if a range lacks logs that the bloom filters allow', async () => {
    node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) =>
      at(Number(asked), Number(asked) === 12 ? { logsBloom: block().logsBloom } : {}),
    );
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) =>
      filter.blockHash === undefined ? [logAt(11)] : [logAt(12)],
    );

    const blocks = await readerFor().blocks(10, 15, 20);

    expect(blocks.map(({ transfers }) => transfers.length)).toEqual([0, 1, 1, 0, 0, 0]);
    expect(ranges()).toEqual([[10, 15], hashAt(12)]);
  });
});

describe('The second endpoint', () => {
  let reading: StubNode;
  let second: StubNode;
  let urls: string[];

  beforeEach(async () => {
    reading = new StubNode();
    second = new StubNode();
    urls = [await reading.start(), await second.start()];
    for (const node of [reading, second]) serve(node);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all([reading.stop(), second.stop()]);
  });

  /** Connects with pauses that last until a failed endpoint counts as away. */
  async function connect(changes: object = {}) {
    const { networks, patience } = settingsFor(urls, changes);
    const layer = nodeLayer(new NetworksSettings(networks, { ...patience, backOffMs: [10_000, 10_000] }));
    await layer.reader.head();
    return layer;
  }

  describe('Finality by the second endpoint', () => {
    it('follows from its own head, not from the reading endpoint', async () => {
      serve(second, 1_990);
      const { reader, secondEndpoint } = await connect();

      const { finalNumber } = await reader.head();

      expect([finalNumber, await secondEndpoint.finalNumber()]).toEqual([1_998, 1_988]);
    });
  });

  describe('Reading final blocks again by another endpoint', () => {
    it('returns their contents and the last header', async () => {
      second.answers('eth_getLogs', [logAt(11), logAt(13), logAt(13, { logIndex: '0x8' })]);
      const { secondEndpoint } = await connect();
      const askedOfReading = reading.asked.length;

      const { last, contents } = await secondEndpoint.contentsOfBlockRange(10, 15);

      expect(last).toMatchObject({ number: 15, hash: hashAt(15), parentHash: hashAt(14) });
      expect(contents).toEqual([
        { number: 11, hash: hashAt(11), transfers: [transfer()], payouts: [] },
        { number: 13, hash: hashAt(13), transfers: [transfer(), transfer({ index: 8 })], payouts: [] },
      ]);
      expect(reading.asked).toHaveLength(askedOfReading);
      expect(second.askedFor('eth_getLogs')).toHaveLength(1);
    });

    it.each([
      ['lacks one of them', { 12: null }],
      ['lacks the last', { 15: null }],
      ['tells blocks of two forks', { 13: { hash: OTHER_HASH } }],
    ])('fails if the endpoint %s', async (_, changed: Record<number, object | null>) => {
      serve(second, 2_000, changed);
      second.answers('eth_getLogs', []);
      const { secondEndpoint, pool } = await connect();

      await expect(secondEndpoint.contentsOfBlockRange(10, 15)).rejects.toBeInstanceOf(ChainUnavailable);
      expect(pool.snapshot()[1]?.state).toBe('backing_off');
    });

    it('leaves an endpoint that is only behind, and has the reading endpoint read again', async () => {
      serve(second, 13);
      for (const node of [reading, second]) node.answers('eth_getLogs', []);
      const { secondEndpoint, pool } = await connect();

      await expect(secondEndpoint.contentsOfBlockRange(10, 15)).rejects.toThrow('it does not know block 14');

      expect(pool.snapshot()[1]).toMatchObject({ state: 'backing_off' });
      await expect(secondEndpoint.contentsOfBlockRange(10, 15)).rejects.toThrow(
        'no second endpoint is healthy',
      );
      advanceMonotonicClock(4_000);
      expect((await secondEndpoint.contentsOfBlockRange(10, 15)).last.number).toBe(15);
      expect(secondEndpoint.isIndependent()).toBe(false);
    });

    it('reports an endpoint on another fork, however far behind, instead of leaving it', async () => {
      serve(second, 13, { 13: { hash: OTHER_HASH } });
      for (const node of [reading, second]) node.answers('eth_getLogs', []);
      const { secondEndpoint } = await connect();

      for (let turns = 0; turns < 3; turns += 1) {
        const { last, contents } = await secondEndpoint.contentsOfBlockRange(10, 15);
        expect([last.number, last.hash, contents]).toEqual([13, OTHER_HASH, []]);
        expect(secondEndpoint.isIndependent()).toBe(true);
      }
    });

    it('returns to the reading endpoint while the other fails, and says so', async () => {
      reading.answers('eth_getLogs', [logAt(11)]);
      second.answers('eth_getLogs', () => {
        throw new Refusal(-32_000, 'unavailable');
      });
      const { secondEndpoint } = await connect();

      await expect(secondEndpoint.contentsOfBlockRange(11, 11)).rejects.toBeInstanceOf(ChainUnavailable);
      advanceMonotonicClock(4_000);
      const again = await secondEndpoint.contentsOfBlockRange(11, 11);

      expect(again.contents).toHaveLength(1);
      expect(secondEndpoint.isIndependent()).toBe(false);
      expect(secondEndpoint.isOnlyEndpoint()).toBe(false);
    });
  });
});
