import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, afterEach, beforeEach, describe, it } from '@jest/globals';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { nodeLayer } from '../evm/testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { block, hex } from '#contexts/networks/testing/stub-answers.js';
import { StubNode, advanceMonotonicClock } from '#contexts/networks/testing/stub-node.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { EndpointPool } from './endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '../evm/evm-network.js';
import { JsonRpc } from './json-rpc.js';

type Layer = ReturnType<typeof nodeLayer>;

/** Three nodes of one chain at block 16, and the service's endpoints for them. */
class SeveralNodes {
  readonly nodes = [new StubNode(), new StubNode(), new StubNode()];
  urls: string[] = [];

  async start(): Promise<void> {
    this.urls = await Promise.all(this.nodes.map((node) => node.start()));
    this.nodes.forEach((_, i) => this.headAt(i, 16));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  headAt(i: number, number: number): void {
    this.nodes[i]!.answers('eth_getBlockByNumber', block({ number: hex(number) }));
  }

  dies(i: number): void {
    this.nodes[i]!.misbehaves((response) => void response.destroy());
  }

  recovers(i: number): void {
    this.nodes[i]!.misbehaves(() => undefined, 0);
  }

  /** @param count number of endpoints, beginning with the first node */
  connect(count = 2, patience: object = {}): Layer {
    const settings = settingsFor(this.urls.slice(0, count));
    return nodeLayer(
      new NetworksSettings(settings.networks, { ...settings.patience, retryAfterMs: [], ...patience }),
    );
  }
}

const states = ({ pool }: Layer) => pool.snapshot().map(({ state }) => state);
const uses = ({ pool }: Layer) => pool.snapshot().map(({ use }) => use);
const head = ({ reader }: Layer) => reader.head().catch(() => null);

/** Runs read cycles until the condition holds. */
async function until(layer: Layer, isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1_000 && !isSo(); turns += 1) {
    await head(layer);
    await sleep(20);
  }
  expect(isSo()).toBe(true);
}

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
  it('stays with the first endpoint that answers', async () => {
    const layer = three.connect(3);

    for (let turns = 0; turns < 5; turns += 1) await head(layer);

    expect(uses(layer)).toEqual(['reading', null, null]);
    expect(three.nodes[0]!.asked).toHaveLength(5);
  });

  it('leaves an endpoint that fails, in the next iteration, and does not return when it recovers', async () => {
    const layer = three.connect();
    await head(layer);

    three.dies(0);
    await expect(layer.reader.head()).rejects.toBeInstanceOf(ChainUnavailable);
    const next = await layer.reader.head();
    three.recovers(0);
    await until(layer, () => states(layer)[0] === 'well');

    expect(next.head.number).toBe(16);
    expect(uses(layer)).toEqual([null, 'reading']);
  });

  it('fails when the endpoint of an iteration fails, instead of reading on from another', async () => {
    const layer = three.connect();
    await layer.reader.head();

    three.dies(0);

    await expect(layer.reader.blockHeader(16)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(three.nodes[1]!.asked.every(({ params }) => params[0] === 'latest')).toBe(true);
    expect((await layer.reader.blockHeader(16))?.number).toBe(16);
  });

  it('leaves an endpoint that lags by more than a few blocks, but not for a lag of a few', async () => {
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

  it('leaves an endpoint that does not know blocks below its own head', async () => {
    const layer = three.connect();
    three.nodes[0]!.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : null,
    );
    await head(layer);

    expect(await layer.reader.blocks(10, 12, null)).toEqual([]);
    await until(layer, () => uses(layer)[1] === 'reading');
  });
});

describe('An endpoint of several', () => {
  it('is shown to operators with reason and time of a failure, and only with host and port', async () => {
    const settings = settingsFor([`${three.urls[0]}/secret-key`, three.urls[1]!]);
    const layer = nodeLayer(settings);
    const before = new Date();
    three.nodes[0]!.misbehaves((response) => response.writeHead(500).end());
    await head(layer);

    const [first, second] = layer.pool.snapshot();

    expect(first).toMatchObject({
      network: 'sandbox',
      position: 0,
      name: new URL(three.urls[0]!).host,
      state: 'backing_off',
      use: null,
      head: null,
      reason: 'eth_getBlockByNumber: HTTP status 500',
    });
    expect(first!.since.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(second!.state).toBe('well');
    expect(JSON.stringify(layer.pool.snapshot())).not.toContain('secret');
  });

  it('is used only after it is admitted, and until it is banished', async () => {
    const settings = settingsFor(three.urls.slice(0, 2));
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]);
    const [first, second] = rpc.endpoints('sandbox');

    expect(() => pool.chooseReadingEndpoint('sandbox')).toThrow(
      'no endpoint can be queried at the moment (unproven; unproven)',
    );
    expect(pool.isVerifyingEndpoints('sandbox')).toBe(true);
    advanceMonotonicClock(15_000);
    expect(pool.isVerifyingEndpoints('sandbox')).toBe(false);
    pool.admit(second!);
    expect(pool.chooseReadingEndpoint('sandbox')).toBe(second);
    pool.admit(first!);
    pool.exclude(second!, 'it serves chain 5.');

    expect(pool.chooseReadingEndpoint('sandbox')).toBe(first);
    expect(pool.hasSecondEndpoint('sandbox')).toBe(false);
    expect(pool.snapshot()[1]).toMatchObject({ state: 'foreign', reason: 'it serves chain 5.' });
    expect(three.nodes.flatMap(({ asked }) => asked)).toEqual([]);
  });
});

/** Connects with pauses so long that a failure still counts when the next one occurs. */
const connectLongPauses = () => three.connect(2, { backOffMs: [10_000, 10_000] });

describe('A second endpoint', () => {
  it('is another endpoint than the reading one, if one is healthy', async () => {
    const layer = three.connect();
    await head(layer);

    expect(layer.secondEndpoint.isIndependent()).toBe(true);
    await layer.secondEndpoint.blockHeader(16);

    expect(uses(layer)).toEqual(['reading', 'second']);
    expect(three.nodes[1]!.asked.at(-1)?.params[0]).toBe('0x10');
  });

  it('stays available while the reading endpoint follows a longer fork', async () => {
    const layer = three.connect();
    three.headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');
    advanceMonotonicClock(59_000);
    three.headAt(1, 17);
    await until(layer, () => layer.pool.snapshot()[1]!.head === 17);
    jest.restoreAllMocks();
    advanceMonotonicClock(59_000 + 59_000);

    expect(states(layer)).toEqual(['well', 'lagging']);
    expect(layer.secondEndpoint.isIndependent()).toBe(true);
    expect((await layer.secondEndpoint.blockHeader(17))?.number).toBe(17);
    expect(uses(layer)).toEqual(['reading', 'second']);
  });

  it('is not one that lags and has stood still for a minute', async () => {
    const layer = three.connect();
    three.headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');

    advanceMonotonicClock(61_000);

    expect(layer.secondEndpoint.isIndependent()).toBe(false);
    expect((await layer.secondEndpoint.blockHeader(40))?.number).toBe(40);
  });

  it('is not replaced by the reading endpoint when it fails', async () => {
    const layer = three.connect();
    await head(layer);
    expect(layer.secondEndpoint.isIndependent()).toBe(true);

    three.dies(1);
    const asked = three.nodes[0]!.asked.length;
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(layer.secondEndpoint.blockHeader(16)).rejects.toBeInstanceOf(ChainUnavailable);
    }

    expect(three.nodes[0]!.asked).toHaveLength(asked);
  });

  it('requires some seconds of absence before the reading endpoint counts alone', async () => {
    const layer = connectLongPauses();
    await head(layer);
    three.dies(1);
    expect(layer.secondEndpoint.isIndependent()).toBe(true);
    await layer.secondEndpoint.blockHeader(16).catch(() => undefined);

    advanceMonotonicClock(2_800);
    expect(() => layer.secondEndpoint.isIndependent()).toThrow('no second endpoint is healthy');
    await expect(layer.secondEndpoint.contentsOfBlockRange(16, 16)).rejects.toThrow(
      'no second endpoint is healthy',
    );
    jest.restoreAllMocks();
    advanceMonotonicClock(3_100);

    expect(layer.secondEndpoint.isIndependent()).toBe(false);
    expect((await layer.secondEndpoint.blockHeader(16))?.number).toBe(16);
  });
});
