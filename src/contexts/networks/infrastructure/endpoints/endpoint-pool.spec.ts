import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { head, passes, SeveralNodes, states, until, uses } from '#contexts/networks/testing/several-nodes.js';
import { block } from '#contexts/networks/testing/stub-answers.js';
import { EndpointPool } from './endpoint-pool.js';
import { EVM_ENDPOINTS } from '../evm/rpc/block-answers.js';
import { JsonRpc } from '../json-rpc/json-rpc.js';

/** Longer than a test may take. */
const NEVER_MS = 3_600_000;

let three: SeveralNodes;

beforeEach(async () => {
  three = new SeveralNodes();
  await three.start();
});
afterEach(() => {
  jest.restoreAllMocks();
  return three.stop();
});

describe('Reading from one of several endpoints', () => {
  it('stays with the first that answers', async () => {
    const layer = three.connect(3);

    for (let turns = 0; turns < 5; turns += 1) await head(layer);

    expect(uses(layer)).toEqual(['reading', null, null]);
    expect(three.nodes[0]!.asked).toHaveLength(5);
  });

  it('leaves one that fails, in the next turn, and does not come back for its recovery', async () => {
    const layer = three.connect();
    await head(layer);

    three.dies(0);
    await expect(layer.reader.head('sandbox')).rejects.toBeInstanceOf(ChainUnavailable);
    const next = await layer.reader.head('sandbox');
    three.recovers(0);
    await until(layer, () => states(layer)[0] === 'well');

    expect(next.head.number).toBe(16);
    expect(uses(layer)).toEqual([null, 'reading']);
  });

  it('reads a turn to its end from the endpoint that it began with', async () => {
    const layer = three.connect();
    await layer.reader.head('sandbox');
    three.headAt(1, 40);
    await sleep(60);
    layer.pool.sawHead(layer.rpc.endpoints('sandbox')[1]!, 40);

    const asked = three.nodes[1]!.asked.length;
    await layer.reader.block('sandbox', 16);

    expect(three.nodes[1]!.asked).toHaveLength(asked);
    expect(three.nodes[0]!.asked.at(-1)?.params[0]).toBe('0x10');
  });

  it('fails a turn whose endpoint fails, rather than read on from another', async () => {
    const layer = three.connect();
    await layer.reader.head('sandbox');

    three.dies(0);

    await expect(layer.reader.block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(three.nodes[1]!.asked.every(({ params }) => params[0] === 'latest')).toBe(true);
    expect((await layer.reader.block('sandbox', 16))?.number).toBe(16);
  });

  it('leaves one that lags by more than a few blocks, but not for a few', async () => {
    const layer = three.connect();
    three.headAt(1, 19);
    for (let turns = 0; turns < 8; turns += 1) {
      await head(layer);
      await sleep(20);
    }
    expect(uses(layer)[0]).toBe('reading');

    three.headAt(1, 20);
    await until(layer, () => uses(layer)[1] === 'reading');

    expect(states(layer)).toEqual(['lagging', 'well']);
    expect(layer.pool.snapshot()[0]).toMatchObject({ head: 16, reason: 'it is 4 blocks behind.' });
  });

  it('goes to the highest of the others', async () => {
    const layer = three.connect(3);
    three.headAt(2, 18);
    await head(layer);
    await until(layer, () => layer.pool.snapshot()[2]!.head === 18);

    three.dies(0);
    await head(layer);
    await head(layer);

    expect(uses(layer)[2]).toBe('reading');
  });

  it('reads from one that lags rather than from none', async () => {
    const layer = three.connect();
    three.headAt(1, 30);
    await until(layer, () => uses(layer)[1] === 'reading');

    three.dies(1);
    await head(layer);

    expect((await head(layer))?.head.number).toBe(16);
  });

  it('leaves one that does not know blocks below its own head', async () => {
    const layer = three.connect();
    three.nodes[0]!.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : null,
    );
    await head(layer);

    expect(await layer.reader.blocks('sandbox', 10, 12, null)).toEqual([]);
    await until(layer, () => uses(layer)[1] === 'reading');

    expect(states(layer)[0]).not.toBe('well');
  });

  it('asks the others for their heads only now and then', async () => {
    const layer = three.connect(2, { headsEveryMs: NEVER_MS });

    for (let turns = 0; turns < 10; turns += 1) await head(layer);
    await sleep(20);

    expect(three.nodes[0]!.asked).toHaveLength(10);
    expect(three.nodes[1]!.asked).toHaveLength(1);
  });

  it('is not held up by another that stalls', async () => {
    const layer = three.connect(2, { callTimeoutMs: NEVER_MS });
    three.nodes[1]!.misbehaves(() => undefined);

    expect((await layer.reader.head('sandbox')).head.number).toBe(16);
  });
});

describe('An endpoint of several', () => {
  it('is not asked before it is admitted, and no more once it is banished', async () => {
    const settings = settingsFor(three.urls.slice(0, 2));
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINTS]);
    const [first, second] = rpc.endpoints('sandbox');

    expect(() => pool.reading('sandbox')).toThrow(
      'no endpoint can be queried at the moment (unproven; unproven)',
    );
    pool.admit(second!);
    expect(pool.reading('sandbox')).toBe(second);
    pool.admit(first!);
    pool.banish(second!, 'it serves chain 5.');

    expect(pool.reading('sandbox')).toBe(first);
    expect(pool.hasSecondEndpoint('sandbox')).toBe(false);
    expect(pool.snapshot()[1]).toMatchObject({ state: 'foreign', reason: 'it serves chain 5.' });
    expect(three.nodes.flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('is not asked by a turn that is under way when it is banished', async () => {
    const layer = three.connect(1);
    await head(layer);

    layer.pool.banish(layer.rpc.endpoints('sandbox')[0]!, 'it serves chain 5.');

    await expect(layer.reader.block('sandbox', 16)).rejects.toThrow('it serves chain 5.');
  });

  it("needs no admission where it is the only one, whose identity is the network's", () => {
    const settings = settingsFor(three.urls[0]!);
    const rpc = new JsonRpc(settings);

    expect(new EndpointPool(settings, rpc, [EVM_ENDPOINTS]).reading('sandbox')).toBe(
      rpc.endpoints('sandbox')[0],
    );
  });
});

describe('The endpoints of a family', () => {
  it('are asked for their newest block as the family asks, and stand still as long as it says', async () => {
    const settings = settingsFor(three.urls.slice(0, 2));
    const rpc = new JsonRpc(settings);
    const newest = {
      method: 'echo',
      params: [30],
      read: (number: unknown) => ({ number: number as number }),
    };
    const family = { family: 'evm', newest, standsStillAfterMs: NEVER_MS };
    const pool = new EndpointPool(settings, rpc, [family]);
    const [first, second] = rpc.endpoints('sandbox');
    [first!, second!].forEach((endpoint) => pool.admit(endpoint));
    three.nodes[1]!.answers('echo', 30);
    pool.sawHead(first!, 40);

    pool.reading('sandbox');
    for (let turns = 0; turns < 100 && pool.snapshot()[1]!.head === null; turns += 1) await sleep(20);
    passes(NEVER_MS - 60_000);

    expect(pool.snapshot()[1]).toMatchObject({ head: 30, state: 'lagging' });
    expect(pool.hasSecondEndpoint('sandbox')).toBe(true);
  });
});
