import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { nodeLayer } from '../../testing/node-layer.js';
import { settingsFor } from '../../testing/sample-configuration.js';
import { block, hex } from '../../testing/stub-answers.js';
import { StubNode } from '../../testing/stub-node.js';
import { NetworksSettings } from '../networks-settings.js';
import { EndpointPool } from './endpoint-pool.js';
import { JsonRpc } from './json-rpc.js';

let nodes: StubNode[];
let urls: string[];

beforeEach(async () => {
  nodes = [new StubNode(), new StubNode(), new StubNode()];
  urls = await Promise.all(nodes.map((node) => node.start()));
  nodes.forEach((_, i) => headAt(i, 16));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(nodes.map((node) => node.stop()));
});

const headAt = (i: number, number: number) =>
  nodes[i]!.answers('eth_getBlockByNumber', block({ number: hex(number) }));
const dies = (i: number) => nodes[i]!.misbehaves((response) => void response.destroy());
const recovers = (i: number) => nodes[i]!.misbehaves(() => undefined, 0);

function connect(count = 2, patience: object = {}) {
  const settings = settingsFor(urls.slice(0, count), {}, 250);
  return nodeLayer(
    new NetworksSettings(settings.networks, { ...settings.patience, retryAfterMs: [], ...patience }),
  );
}

type Layer = ReturnType<typeof connect>;
const states = ({ pool }: Layer) => pool.snapshot().map(({ state }) => state);
const uses = ({ pool }: Layer) => pool.snapshot().map(({ use }) => use);
const head = ({ reader }: Layer) => reader.head('sandbox').catch(() => null);

/** Takes turns until it is so. */
async function until(layer: Layer, isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100 && !isSo(); turns += 1) {
    await head(layer);
    await sleep(20);
  }
  expect(isSo()).toBe(true);
}

/** As if so much time had passed at once. */
function passes(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

describe('Reading from one of several endpoints', () => {
  it('stays with the first that answers', async () => {
    const layer = connect(3);

    for (let turns = 0; turns < 5; turns += 1) await head(layer);

    expect(uses(layer)).toEqual(['reading', null, null]);
    expect(nodes[0]!.asked).toHaveLength(5);
  });

  it('leaves one that fails, in the next turn, and does not come back for its recovery', async () => {
    const layer = connect();
    await head(layer);

    dies(0);
    await expect(layer.reader.head('sandbox')).rejects.toBeInstanceOf(ChainUnavailable);
    const next = await layer.reader.head('sandbox');
    recovers(0);
    await until(layer, () => states(layer)[0] === 'well');

    expect(next.head.number).toBe(16);
    expect(uses(layer)).toEqual([null, 'reading']);
  });

  it('reads a turn to its end from the endpoint that it began with', async () => {
    const layer = connect();
    await layer.reader.head('sandbox');
    headAt(1, 40);
    await sleep(60);
    layer.pool.sawHead(layer.rpc.endpoints('sandbox')[1]!, 40);

    const asked = nodes[1]!.asked.length;
    await layer.reader.block('sandbox', 16);

    expect(nodes[1]!.asked).toHaveLength(asked);
    expect(nodes[0]!.asked.at(-1)?.params[0]).toBe('0x10');
  });

  it('fails a turn whose endpoint fails, rather than read on from another', async () => {
    const layer = connect();
    await layer.reader.head('sandbox');

    dies(0);

    await expect(layer.reader.block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(nodes[1]!.asked.every(({ params }) => params[0] === 'latest')).toBe(true);
    expect((await layer.reader.block('sandbox', 16))?.number).toBe(16);
  });

  it('leaves one that lags by more than a few blocks, but not for a few', async () => {
    const layer = connect();
    headAt(1, 19);
    for (let turns = 0; turns < 8; turns += 1) {
      await head(layer);
      await sleep(20);
    }
    expect(uses(layer)[0]).toBe('reading');

    headAt(1, 20);
    await until(layer, () => uses(layer)[1] === 'reading');

    expect(states(layer)).toEqual(['lagging', 'well']);
    expect(layer.pool.snapshot()[0]).toMatchObject({ head: 16, reason: 'it is 4 blocks behind.' });
  });

  it('goes to the highest of the others', async () => {
    const layer = connect(3);
    headAt(2, 18);
    await head(layer);
    await until(layer, () => layer.pool.snapshot()[2]!.head === 18);

    dies(0);
    await head(layer);
    await head(layer);

    expect(uses(layer)[2]).toBe('reading');
  });

  it('reads from one that lags rather than from none', async () => {
    const layer = connect();
    headAt(1, 30);
    await until(layer, () => uses(layer)[1] === 'reading');

    dies(1);
    await head(layer);

    expect((await head(layer))?.head.number).toBe(16);
  });

  it('leaves one that does not know blocks below its own head', async () => {
    const layer = connect();
    nodes[0]!.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : null,
    );
    await head(layer);

    expect(await layer.reader.blocks('sandbox', 10, 12, null)).toEqual([]);
    await head(layer);

    expect(uses(layer)[1]).toBe('reading');
  });

  it('asks the others for their heads only now and then', async () => {
    const layer = connect(2, { headsEveryMs: 10_000 });

    for (let turns = 0; turns < 10; turns += 1) await head(layer);
    await sleep(20);

    expect(nodes[0]!.asked).toHaveLength(10);
    expect(nodes[1]!.asked).toHaveLength(1);
  });

  it('is not held up by another that stalls', async () => {
    const layer = connect();
    nodes[1]!.misbehaves(() => undefined);

    const began = performance.now();
    await layer.reader.head('sandbox');

    expect(performance.now() - began).toBeLessThan(200);
  });
});

describe('An endpoint of several', () => {
  it('is not asked before it is admitted, and no more once it is banished', async () => {
    const settings = settingsFor(urls.slice(0, 2));
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc);
    const [first, second] = rpc.endpoints('sandbox');

    expect(() => pool.reading('sandbox')).toThrow(
      'no endpoint may be asked at the moment (unproven; unproven)',
    );
    pool.admit(second!);
    expect(pool.reading('sandbox')).toBe(second);
    pool.admit(first!);
    pool.banish(second!, 'it serves chain 5.');

    expect(pool.reading('sandbox')).toBe(first);
    expect(pool.hasWitness('sandbox')).toBe(false);
    expect(pool.snapshot()[1]).toMatchObject({ state: 'foreign', reason: 'it serves chain 5.' });
    expect(nodes.flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('is not asked by a turn that is under way when it is banished', async () => {
    const layer = connect(1);
    await head(layer);

    layer.pool.banish(layer.rpc.endpoints('sandbox')[0]!, 'it serves chain 5.');

    await expect(layer.reader.block('sandbox', 16)).rejects.toThrow('it serves chain 5.');
  });

  it("needs no admission where it is the only one, whose identity is the network's", () => {
    const settings = settingsFor(urls[0]!);
    const rpc = new JsonRpc(settings);

    expect(new EndpointPool(settings, rpc).reading('sandbox')).toBe(rpc.endpoints('sandbox')[0]);
  });
});

describe('A witness', () => {
  it('is another endpoint than is read from, where one is well', async () => {
    const layer = connect();
    await head(layer);

    expect(layer.witness.isIndependent('sandbox')).toBe(true);
    await layer.witness.block('sandbox', 16);

    expect(uses(layer)).toEqual(['reading', 'witness']);
    expect(nodes[1]!.asked.at(-1)?.params[0]).toBe('0x10');
  });

  it('is the same where there is no other', async () => {
    const layer = connect(1);
    await head(layer);

    expect(layer.witness.isIndependent('sandbox')).toBe(false);
    expect((await layer.witness.block('sandbox', 16))?.number).toBe(16);
  });

  it('is the true chain also while a fork that is longer is read, for which it seems to lag', async () => {
    const layer = connect();
    headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');
    passes(59_000);
    headAt(1, 17);
    await until(layer, () => layer.pool.snapshot()[1]!.head === 17);
    jest.restoreAllMocks();
    passes(59_000 + 59_000);

    expect(states(layer)).toEqual(['well', 'lagging']);
    expect(layer.witness.isIndependent('sandbox')).toBe(true);
    expect((await layer.witness.block('sandbox', 17))?.number).toBe(17);
    expect(uses(layer)).toEqual(['reading', 'witness']);
  });

  it('is none that lags and has stood still for a minute', async () => {
    const layer = connect();
    headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');

    passes(61_000);

    expect(layer.witness.isIndependent('sandbox')).toBe(false);
    expect((await layer.witness.block('sandbox', 40))?.number).toBe(40);
  });

  it('is none whose head goes up and down but never grows', async () => {
    const layer = connect();
    headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');
    passes(61_000);

    for (const number of [15, 16]) {
      headAt(1, number);
      await until(layer, () => layer.pool.snapshot()[1]!.head === number);
    }

    expect(layer.witness.isIndependent('sandbox')).toBe(false);
  });

  it('is one that is well rather than one that lags', async () => {
    const layer = connect(3);
    headAt(0, 40);
    await until(layer, () => states(layer).join() === 'well,lagging,lagging');
    expect(layer.witness.isIndependent('sandbox')).toBe(true);
    const before = uses(layer);

    headAt(2, 40);
    await until(layer, () => states(layer)[2] === 'well');

    expect(layer.witness.isIndependent('sandbox')).toBe(true);
    expect([before, uses(layer)]).toEqual([
      ['reading', 'witness', null],
      ['reading', null, 'witness'],
    ]);
  });

  it('that was told to be independent is not replaced by the reading endpoint when it fails', async () => {
    const layer = connect();
    await head(layer);
    expect(layer.witness.isIndependent('sandbox')).toBe(true);

    dies(1);
    const asked = nodes[0]!.asked.length;
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(layer.witness.block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
    }

    expect(nodes[0]!.asked).toHaveLength(asked);
    expect(layer.witness.isIndependent('sandbox')).toBe(false);
    expect((await layer.witness.block('sandbox', 16))?.number).toBe(16);
  });

  it('is not asked any more when reading has moved to it', async () => {
    const layer = connect();
    await head(layer);
    expect(layer.witness.isIndependent('sandbox')).toBe(true);

    dies(0);
    await head(layer);
    await head(layer);

    expect(uses(layer)[1]).toBe('reading');
    await expect(layer.witness.block('sandbox', 16)).rejects.toThrow('no second endpoint is well');
  });
});
