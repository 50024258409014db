import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { head, passes, SeveralNodes, states, until, uses } from '#contexts/networks/testing/several-nodes.js';
import { block, EMPTY_BLOOM, HASH, hex } from '#contexts/networks/testing/stub-answers.js';
import { Refusal } from '#contexts/networks/testing/stub-node.js';
import { EndpointPool } from './endpoint-pool.js';
import { EVM_ENDPOINTS } from '../evm/rpc/block-answers.js';
import { JsonRpc } from '../json-rpc/json-rpc.js';
import { EndpointFailure } from '../json-rpc/rpc-failures.js';

let three: SeveralNodes;

beforeEach(async () => {
  three = new SeveralNodes();
  await three.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await three.stop();
});

/** With pauses so long that a failure is not forgotten before the next. */
const connectLongPauses = () => three.connect(2, { backOffMs: [10_000, 10_000] });

describe('A second endpoint', () => {
  it('is another endpoint than is read from, where one is well', async () => {
    const layer = three.connect();
    await head(layer);

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    await layer.secondEndpoint.block('sandbox', 16);

    expect(uses(layer)).toEqual(['reading', 'second']);
    expect(three.nodes[1]!.asked.at(-1)?.params[0]).toBe('0x10');
  });

  it('is the same where there is no other', async () => {
    const layer = three.connect(1);
    await head(layer);

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
    expect((await layer.secondEndpoint.block('sandbox', 16))?.number).toBe(16);
  });

  it('is the true chain also while a fork that is longer is read, for which it seems to lag', async () => {
    const layer = three.connect();
    three.headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');
    passes(59_000);
    three.headAt(1, 17);
    await until(layer, () => layer.pool.snapshot()[1]!.head === 17);
    jest.restoreAllMocks();
    passes(59_000 + 59_000);

    expect(states(layer)).toEqual(['well', 'lagging']);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    expect((await layer.secondEndpoint.block('sandbox', 17))?.number).toBe(17);
    expect(uses(layer)).toEqual(['reading', 'second']);
  });

  it('is none that lags and has stood still for a minute', async () => {
    const layer = three.connect();
    three.headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');

    passes(61_000);

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
    expect((await layer.secondEndpoint.block('sandbox', 40))?.number).toBe(40);
  });

  it('is none whose head goes up and down but never grows', async () => {
    const layer = three.connect();
    three.headAt(0, 40);
    await until(layer, () => states(layer)[1] === 'lagging');
    passes(61_000);

    for (const number of [15, 16]) {
      three.headAt(1, number);
      await until(layer, () => layer.pool.snapshot()[1]!.head === number);
    }

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
  });

  it('is one that is well rather than one that lags', async () => {
    const layer = three.connect(3);
    three.headAt(0, 40);
    await until(layer, () => states(layer).join() === 'well,lagging,lagging');
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    const before = uses(layer);

    three.headAt(2, 40);
    await until(layer, () => states(layer)[2] === 'well');

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    expect([before, uses(layer)]).toEqual([
      ['reading', 'second', null],
      ['reading', null, 'second'],
    ]);
  });

  it('that was told to be independent is not replaced by the reading endpoint when it fails', async () => {
    const layer = three.connect();
    await head(layer);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);

    three.dies(1);
    const asked = three.nodes[0]!.asked.length;
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(layer.secondEndpoint.block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
    }

    expect(three.nodes[0]!.asked).toHaveLength(asked);
  });

  it('is missed for some seconds before the reading endpoint is believed alone', async () => {
    const layer = connectLongPauses();
    await head(layer);
    three.dies(1);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    await layer.secondEndpoint.block('sandbox', 16).catch(() => undefined);

    passes(2_800);
    expect(() => layer.secondEndpoint.isIndependent('sandbox')).toThrow('no second endpoint is healthy');
    await expect(layer.secondEndpoint.contents('sandbox', 16, 16)).rejects.toThrow(
      'no second endpoint is healthy',
    );
    jest.restoreAllMocks();
    passes(3_100);

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
    expect((await layer.secondEndpoint.block('sandbox', 16))?.number).toBe(16);
  });

  it('is missed anew where it has told of blocks since it last failed', async () => {
    const layer = connectLongPauses();
    const contents = () => layer.secondEndpoint.contents('sandbox', 16, 16);
    await head(layer);
    three.nodes[1]!.answers('eth_getBlockByNumber', block({ number: hex(16), logsBloom: EMPTY_BLOOM }));
    three.nodes[1]!.answers('eth_getLogs', []);
    three.dies(1);
    await contents().catch(() => undefined);
    three.recovers(1);
    passes(10_000);
    await contents();

    three.dies(1);
    await contents().catch(() => undefined);

    expect(() => layer.secondEndpoint.isIndependent('sandbox')).toThrow('no second endpoint is healthy');
  });

  it('counts as away where it merely tells its head again and again', async () => {
    const layer = three.connect(2, { backOffMs: [500, 15_000] });
    await head(layer);
    three.nodes[1]!.answers('eth_getLogs', () => {
      throw new Refusal(-32_000, 'no logs today');
    });
    three.nodes[1]!.answers('eth_getBlockByHash', block({ transactions: [HASH] }));
    const contents = () => layer.secondEndpoint.contents('sandbox', 16, 16);
    await contents().catch(() => undefined);
    passes(10_000);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    await layer.secondEndpoint.block('sandbox', 16);

    await expect(contents()).rejects.toThrow('no logs today');

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
  });

  it('counts as away where it asks to be left alone, though an answer came after that', async () => {
    const layer = three.connect();
    await head(layer);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);
    const second = layer.rpc.endpoints('sandbox')[1]!;

    layer.pool.failed(second, new EndpointFailure('sandbox', 'HTTP status 429', 'rate_limited', 300_000));
    layer.pool.served(second);
    passes(3_100);

    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(false);
  });

  it('is missed for some seconds also while it has yet to be admitted', async () => {
    const settings = settingsFor(three.urls.slice(0, 2));
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINTS]);
    pool.admit(rpc.endpoints('sandbox')[0]!);
    pool.reading('sandbox');

    expect(() => pool.hasSecondEndpoint('sandbox')).toThrow('no second endpoint is healthy');
    passes(14_800);
    expect(() => pool.hasSecondEndpoint('sandbox')).toThrow('no second endpoint is healthy');
    jest.restoreAllMocks();
    passes(15_100);

    expect(pool.hasSecondEndpoint('sandbox')).toBe(false);
  });

  it('is not asked any more when reading has moved to it', async () => {
    const layer = three.connect();
    await head(layer);
    expect(layer.secondEndpoint.isIndependent('sandbox')).toBe(true);

    three.dies(0);
    await head(layer);
    await head(layer);

    expect(uses(layer)[1]).toBe('reading');
    await expect(layer.secondEndpoint.block('sandbox', 16)).rejects.toThrow('no second endpoint is healthy');
  });
});
