import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiRefused } from '#test/support/api-client.js';
import { forkOff, otherFork, type ForkedChain } from '#test/support/rpc/rpc-fork.js';
import { invents } from '#test/support/rpc/rpc-logs.js';
import type { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { hangsUp } from '#test/support/rpc/rpc-replies.js';
import { expectNothingBut, UNDECIDED } from '#test/faults/node-round.js';
import { NodeWorld } from '#test/faults/node-world.js';
import { until } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';

/** Fewer than the sandbox's, so that a second endpoint that lags a little has not all that is final. */
const CONFIRMATIONS = 2;
/** The chain of this suite comes to be ahead of the clock by the blocks that it mines on demand. */
const MAX_LAG_SECONDS = 600;
const AGREEMENT_ABOVE = '100';

let world: NodeWorld;
let fork: ForkedChain | undefined;

beforeAll(async () => {
  world = await NodeWorld.start(2, {
    network: (assets) => ({
      finality: { confirmations: CONFIRMATIONS },
      max_lag_seconds: MAX_LAG_SECONDS,
      assets: assets.map((asset) =>
        asset.symbol === 'USDT' ? { ...asset, agreement_above: AGREEMENT_ABOVE } : asset,
      ),
    }),
  });
});

afterAll(async () => {
  expect(await world?.service.breaches()).toEqual([]);
  await world?.stop();
  await fork?.kill();
});

/** The endpoint that new blocks are looked for at, and the other one. */
async function endpointsInUse(): Promise<{ reader: RpcProxy; secondEndpoint: RpcProxy }> {
  const calls = () => world.endpoints.map((endpoint) => endpoint.callsOf('eth_getBlockByNumber'));
  const before = calls();
  await until('one of them is read from', () => calls().some((count, at) => count >= before[at]! + 5));
  const [first, second] = world.endpoints as [RpcProxy, RpcProxy];
  const grown = calls().map((count, at) => count - before[at]!) as [number, number];
  return grown[0] > grown[1]
    ? { reader: first, secondEndpoint: second }
    : { reader: second, secondEndpoint: first };
}

function behave(): void {
  for (const endpoint of world.endpoints) endpoint.behave();
}

beforeEach(behave);

describe('A fork that one of two RPC endpoints shows', () => {
  it.each(['reader', 'secondEndpoint'] as const)(
    'delays finality and rejects new requests: shown by the %s',
    async (role) => {
      await settled();
      const endpoint = (await endpointsInUse())[role];
      await fork?.kill();
      fork = await forkOff(world.service.chain);
      endpoint.misbehave(otherFork(fork));
      const order = await world.order('20.02');
      await world.pay(order);
      await fork.mine(1);
      await Promise.all([world.confirm(), fork.mine(CONFIRMATIONS + 3)]);

      await until('they disagree', async () => (await world.cursor()).disagreement !== null);
      const [seen] = await world.seenStatuses([order], 400);
      const refused = await refusedOrder();

      endpoint.behave();
      await world.confirm();
      await world.allBecome('completed', [order]);
      await until('they agree', async () => (await world.cursor()).disagreement === null);
      expectNothingBut(seen!, UNDECIDED);
      expect(refused).toMatchObject({ httpStatus: 503, code: 'unavailable' });
      await world.expectBookedOnce([order]);
      await payOneMore();
    },
  );

  async function refusedOrder(): Promise<ApiRefused> {
    let refusal: unknown;
    // As if they had disagreed for so long: this limit is in real time.
    await world.service.query(
      'UPDATE payments.chain_cursors SET disagrees_since = disagrees_since - make_interval(secs => $1)',
      [MAX_LAG_SECONDS + 1],
    );
    await until('new requests are refused', async () => {
      refusal = await world.order('1').catch((error: unknown) => error);
      return refusal instanceof ApiRefused;
    });
    return refusal as ApiRefused;
  }
});

describe('A payment above the limit of agreement', () => {
  it('waits for the second endpoint, and delays no smaller payment', async () => {
    const { secondEndpoint } = await endpointsInUse();
    secondEndpoint.misbehave(hangsUp());
    const large = await world.order('150', world.usdt);
    const small = await world.order('99', world.usdt);
    for (const order of [large, small]) await world.pay(order);
    await world.confirm();

    await world.allBecome('completed', [small]);
    await world.confirm();
    const [seen] = await world.seenStatuses([large], 400);
    behave();
    await world.allBecome('completed', [large]);

    expect([...seen!]).toEqual(['processing']);
    await world.expectBookedOnce([large, small]);
  });

  const lies = [
    ['reader', '150'],
    ['secondEndpoint', '150'],
    ['reader', '15'],
    ['secondEndpoint', '15'],
  ] as const;

  it.each(drawn(lies, 2))(
    'does not count a transfer that only one endpoint reports: %s, %s USDT',
    async (role, amount) => {
      await bothAreWell();
      await settled();
      const liar = (await endpointsInUse())[role];
      const order = await world.order(amount, world.usdt);
      const invented = {
        token: world.usdt.unique_asset_id.split('_t')[1]!,
        from: world.service.wallet.address,
        to: order.request.address,
        amount: BigInt(amount) * 1_000_000n,
        blockNumber: (await world.headNumber()) + 1,
        transactionHash: `0x${order.request.id.replaceAll('-', '').repeat(2)}`,
      };
      liar.misbehave(invents(invented));
      await world.confirm();
      await world.confirm();

      await until('the endpoint has lied', () => liar.misbehaved.has('invents'));
      const [seen] = await world.seenStatuses([order], 600);
      behave();
      await world.confirm();
      await settled();

      expectNothingBut(seen!, UNDECIDED);
      const nothing = { received: '0', hashes: [], booked: [] };
      await until('nothing of it is left', async () => (await world.outcomes([order]))[0]!.received === '0');
      expect(await world.outcomes([order])).toMatchObject([nothing]);
      await payOneMore();
    },
  );
});

/**
 * Both have shown blocks since, the one as they came, the other as they became final: neither is given up. Few blocks,
 * for each puts the chain's clock on by a second, and with it the orders' end.
 */
async function bothAreWell(): Promise<void> {
  const before = world.endpoints.map((endpoint) => endpoint.callsOf('eth_getLogs'));
  await until(
    'both are read from',
    async () => {
      await world.service.chain.mine(1);
      return world.endpoints.every((endpoint, at) => endpoint.callsOf('eth_getLogs') > before[at]! + 1);
    },
    { everyMs: 300 },
  );
}

/** Read to its end, twice as far as it is final, in agreement. */
async function settled(): Promise<void> {
  const head = await world.headNumber();
  await until('both readings have come to the end', async () => {
    const cursor = await world.cursor();
    return cursor.disagreement === null && (cursor.final ?? 0) >= head - CONFIRMATIONS;
  });
}

async function payOneMore(): Promise<void> {
  const order = await world.order('30.03');
  await world.pay(order);
  await world.confirm();
  await world.allBecome('completed', [order]);
  await world.expectBookedOnce([order]);
}
