import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { head, passes, SeveralNodes, states, until } from '#contexts/networks/testing/several-nodes.js';
import { EndpointHealth } from './endpoint-health.js';

let three: SeveralNodes;

beforeEach(async () => {
  three = new SeveralNodes();
  await three.start();
});
afterEach(() => {
  jest.restoreAllMocks();
  return three.stop();
});

describe('An endpoint in trouble', () => {
  it('is left alone for a while that grows, and tried again after it', async () => {
    const layer = three.connect(1, { backOffMs: [40, 100_000] });
    three.dies(0);

    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const tries: number[] = [];
    for (; tries.length < 5; now += 1) {
      const before = three.nodes[0]!.asked.length;
      await head(layer);
      if (three.nodes[0]!.asked.length > before) tries.push(now);
    }
    jest.restoreAllMocks();
    three.recovers(0);
    await until(layer, () => states(layer)[0] === 'well');

    const pauses = tries.slice(1).map((at, i) => at - tries[i]!);
    pauses.forEach((pause, failures) => {
      const longest = 40 * 2 ** failures;
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest + 1);
    });
  });

  it('is never left alone for longer than the cap', async () => {
    const layer = three.connect(1, { backOffMs: [10, 30] });
    three.dies(0);

    for (let failures = 0; failures < 12;) {
      const before = three.nodes[0]!.asked.length;
      await head(layer);
      if (three.nodes[0]!.asked.length > before) failures += 1;
      await sleep(2);
    }
    three.recovers(0);
    await sleep(40);

    expect((await head(layer))?.head.number).toBe(16);
  });

  it('is not asked before the time that it named, though it would answer', async () => {
    const layer = three.connect(1, { backOffMs: [5, 10] });
    three.nodes[0]!.misbehaves((response) => response.writeHead(429, { 'retry-after': '60' }).end(), 1);
    await head(layer);

    passes(55_000);
    const early = await head(layer);
    jest.restoreAllMocks();
    passes(61_000);
    const late = await head(layer);

    expect([early, late?.head.number]).toEqual([null, 16]);
    expect(three.nodes[0]!.asked).toHaveLength(2);
  });

  it('is told of to operators with reason and time, by host and port alone', async () => {
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

  it('makes the error of a network whose endpoints all are say why', async () => {
    const layer = three.connect(2, { backOffMs: [60_000, 60_000] });
    three.dies(0);
    three.dies(1);
    await head(layer);
    await head(layer);

    await expect(layer.reader.head('sandbox')).rejects.toThrow(
      /no endpoint can be queried at the moment \(eth_getBlockByNumber: the connection failed.*; eth_getBlockByNumber/,
    );
  });
});

describe('An endpoint of a chain with rare blocks', () => {
  it('follows its chain for as long as its family says, without a new block', () => {
    const health = new EndpointHealth(true, [1, 1], () => 0, 0, 3_600_000);

    health.sawHead(0, 5, 9);

    expect([3_600_000, 3_600_001].map((now) => health.isFollowing(now))).toEqual([true, false]);
  });
});
