import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { closeWindows, expectNothingBut, PAST_THE_DEADLINE, playRound } from '#test/faults/node-round.js';
import { UNDECIDED, type Unfinished } from '#test/faults/node-round.js';
import { CONFIRMATIONS, NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { until } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';
import { eventually } from '#test/support/eventually.js';
import { forkOff, otherFork, type ForkedChain } from '#test/support/rpc/rpc-fork.js';
import { emptyPastHead, frozen, lag } from '#test/support/rpc/rpc-knowledge.js';
import { noLogs } from '#test/support/rpc/rpc-logs.js';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import * as replies from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';

/** More than any answer that is read whole, and what lies in the sockets' buffers. */
const MAX_TAKEN = 64 * (1 << 20);
const LOGS = { methods: ['eth_getLogs'] };
/** `npm run evidence -- node-faults` measures this. */
const TAKEN_OVER_WITHIN_MS = 10_000;

let world: NodeWorld;
let fork: ForkedChain | undefined;
const endpoint = () => world.endpoints[0]!;

beforeAll(async () => {
  world = await NodeWorld.start(1);
});

afterAll(async () => {
  await world?.stop();
  await fork?.kill();
});

beforeEach(() => endpoint().behave());

// The simulator plays most faults of nodes, and `npm run evidence -- rpc-misbehaviours` the others.
describe('A single RPC endpoint', () => {
  const taken: replies.Taken = { bytes: 0 };
  const left: Unfinished[] = [];
  const several = [replies.hangsUp(), replies.tooMany(1), replies.serverError(503), replies.truncated()];
  const rounds: readonly [string, Misbehaviour][] = [
    ['stops in the middle of its answers', replies.stallInBody()],
    ['changes its fault with every few answers', replies.flapping(5, several)],
    ['lags by more blocks than finality takes', lag(2 * CONFIRMATIONS)],
  ];
  const endless: (typeof rounds)[number] = ['answers without end', replies.huge(taken)];

  it.each([...drawn(rounds, 1), endless])(
    'completes no payment falsely and misses none if it %s',
    async (_, misbehaviour) => {
      left.push(await playRound(world, [misbehaviour]));
    },
  );

  it('has only the beginning of an endless answer read', () => {
    expect(taken.bytes).toBeGreaterThan(0);
    expect(taken.bytes).toBeLessThan(MAX_TAKEN);
  });

  it('un-counts a payment while it shows a fork that is longer than finality', async () => {
    await world.caughtUp();
    fork = await forkOff(world.service.chain);
    const order = await world.order('10.01');
    await world.pay(order);
    await world.allBecome('processing', [order]);
    await fork.mine(3 * CONFIRMATIONS);

    endpoint().misbehave(otherFork(fork));
    const isUncounted = async () => (await world.outcomes([order]))[0]!.received === '0';
    await until('the payment, which is not on that fork, is un-counted', isUncounted);
    const [seen] = await world.seenStatuses([order], 300);
    endpoint().behave();
    await world.confirm();
    await world.allBecome('completed', [order]);

    expectNothingBut(seen!, UNDECIDED);
    await world.expectBookedOnce([order]);
  });

  it('leaves every invariant whole after the payment windows have closed', async () => {
    await closeWindows(world, left);
  });

  const hiding: readonly [string, () => Promise<Misbehaviour[]>][] = [
    ['its newest blocks', async () => [frozen(await world.headNumber())]],
    ['logs in new blocks', async () => [frozen(await world.headNumber(), LOGS), emptyPastHead()]],
    ['all logs', async () => [noLogs()]],
  ];

  it.each(drawn(hiding, 1))(
    'expires no paid request if it hides %s beyond the deadline',
    async (_, misbehaviours) => {
      const [whole, inParts] = [await world.order('33.03'), await world.order('44.04')];
      await world.pay(inParts, '4.04');
      await world.allBecome('processing', [inParts]);
      await world.confirm();
      endpoint().misbehave(...(await misbehaviours()));
      await world.pay(whole);
      await world.pay(inParts, '40');

      await world.service.advance(PAST_THE_DEADLINE);
      await world.confirm();
      // Long enough to read everything twice.
      const isFinal = async () => (await world.cursor()).final! >= (await world.headNumber()) - CONFIRMATIONS;
      const seen = await world.seenStatuses([whole, inParts], 400);
      await waitUntil(isFinal, { timeoutMs: 1_000 });
      seen.push(...(await world.seenStatuses([whole, inParts], 200)));
      endpoint().behave();
      await world.allBecome('completed', [whole, inParts]);

      // Block receipts can show the payments although the logs do not.
      for (const statuses of seen) expectNothingBut(statuses, [...UNDECIDED, 'completed']);
      await world.expectBookedOnce([whole, inParts]);
      expect(await world.service.breaches()).toEqual([]);
    },
  );
});

describe('A reorganisation deeper than finality', () => {
  const TAKEN = ['payment_in 50000000', 'adjustment -50000000'];
  let order: NodeOrder;
  let signed: string[];

  it('reverses only the payment that it removes, once, and notifies operator and merchant', async () => {
    const bystander = await world.order('7.07');
    await world.pay(bystander);
    await world.confirm();
    order = await world.order('50');
    await world.pay(order);
    await world.confirm();
    await world.allBecome('completed', [order, bystander]);
    await world.expectBookedOnce([order, bystander]);
    signed = await Promise.all(
      order.hashes.map((hash) => world.service.chain.rpc<string>('eth_getRawTransactionByHash', [hash])),
    );

    await reorganise();
    await untilBooked(TAKEN);

    expect(await world.outcomes([order])).toMatchObject([{ status: 'completed', hashes: [] }]);
    const address = order.request.address.toLowerCase();
    expect(await holdsOn(order)).toMatchObject([{ address, released_at: null }]);
    // The worker logs its alert after the commit.
    const alerts = await eventually(
      async () => alertsOn(order),
      ({ length }) => length > 0,
    );
    expect([alerts.length, alertsOn(bystander)]).toEqual([1, []]);
    const types = await eventually(eventTypes, (list) => list.includes('adjustment'));
    expect(types).toEqual(['payment_request', 'payment_request', 'adjustment']);
    await world.expectBookedOnce([bystander]);
    expect(await holdsOn(bystander)).toEqual([]);
  });

  it('books the same transaction as a deposit when it is mined again, as often as that happens', async () => {
    const deposited = [...TAKEN, 'deposit 50000000'];
    await mineAgain();
    await untilBooked(deposited);
    expect(await world.outcomes([order])).toMatchObject([{ status: 'completed', hashes: order.hashes }]);
    expect(await holdsOn(order)).toHaveLength(1);
    expect(await eventually(eventTypes, (list) => list.includes('deposit'))).toHaveLength(4);

    await reorganise();
    await untilBooked([...deposited, 'adjustment -50000000']);
    await mineAgain();

    await untilBooked([...deposited, 'adjustment -50000000', 'deposit 50000000']);
    expect(await holdsOn(order)).toHaveLength(2);
    expect(await world.service.breaches()).toEqual([]);
  });

  async function reorganise(): Promise<void> {
    await world.caughtUp();
    await world.service.chain.rpc('anvil_reorg', [CONFIRMATIONS + 1, []]);
    // A longer chain replaces the old one.
    await world.service.chain.mine(1);
  }

  async function mineAgain(): Promise<void> {
    for (const raw of signed) await world.service.chain.rpc('eth_sendRawTransaction', [raw]);
    await world.confirm();
  }

  const untilBooked = (booked: readonly string[]) =>
    eventually(
      async () => (await world.outcomes([order]))[0]!,
      (outcome) => JSON.stringify(outcome.booked) === JSON.stringify(booked),
    );

  const holdsOn = ({ request }: NodeOrder) =>
    world.service.query(
      'SELECT address, released_at FROM payments.settlement_holds WHERE payment_request_id = $1',
      [request.id],
    );

  async function eventTypes(): Promise<string[]> {
    const { data } = await world.service.api.get<{
      data: { event_type: string; payment_request_id: string }[];
    }>('/v1/events?limit=500');
    return data
      .filter((event) => event.payment_request_id === order.request.id)
      .map(({ event_type }) => event_type);
  }

  const alertsOn = ({ request }: NodeOrder) =>
    world.service
      .log('worker')
      .split('\n')
      .filter((line) => line.includes('"level":"error"') && line.includes(request.id));
});

describe('Two workers that watch one network', () => {
  /** Each worker has its own endpoint, so that a test can delay only one of them. */
  interface Reader {
    readonly worker: ServerProcess;
    readonly endpoint: RpcProxy;
  }
  let holder: Reader;
  let standby: Reader;
  let suspended: number | undefined;

  beforeAll(async () => {
    holder = { worker: world.service.processes.worker, endpoint: endpoint() };
    const another = await RpcProxy.before(world.service.chain.url);
    standby = { worker: await world.service.anotherWorker([another.url]), endpoint: another };
  });

  afterAll(async () => {
    if (suspended !== undefined) process.kill(suspended, 'SIGCONT');
    for (const one of [holder, standby]) await one?.endpoint.close().catch(() => undefined);
  });

  /** Waits until a worker holds it: a busy machine may renew it late. */
  async function lease(): Promise<{ holder: string; epoch: string }> {
    const [row] = await eventually(
      () =>
        world.service.query<{ holder: string; epoch: string }>(
          `SELECT holder, epoch FROM platform.leases WHERE name = 'watcher:sandbox' AND expires_at > clock_timestamp()`,
        ),
      ({ length }) => length > 0,
    );
    return row!;
  }

  async function paidOrder(): Promise<NodeOrder> {
    const order = await world.order('10.01');
    await world.pay(order);
    return order;
  }

  it('leaves the reading to one of them', async () => {
    const before = await lease();
    const order = await paidOrder();
    await world.confirm();
    await world.allBecome('completed', [order]);

    expect(await lease()).toEqual(before);
    expect(standby.endpoint.callsOf('eth_getLogs')).toBe(0);
  });

  it('rejects the late write of a worker that was suspended while it lost the lease', async () => {
    await world.caughtUp();
    const [believed, from] = [await lease(), await world.cursor()];
    const held = replies.holds(LOGS);
    holder.endpoint.misbehave(held);
    const order = await paidOrder();
    await until('it is in the middle of reading', () => held.waiting > 0, { everyMs: 2 });

    suspended = holder.worker.pid;
    process.kill(suspended, 'SIGSTOP');
    standby.endpoint.misbehave(replies.serverError(503));
    await world.service.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    await until('the other has the lease', async () => (await lease()).holder !== believed.holder);
    holder.endpoint.behave();
    held.release();
    process.kill(suspended, 'SIGCONT');
    suspended = undefined;
    // The other worker cannot read, so only the suspended one could change anything.
    const [seen] = await world.seenStatuses([order], 1_500);

    expect([...seen!]).toEqual(['created']);
    expect((await world.cursor()).head).toBe(from.head);
    expect(Number((await lease()).epoch)).toBe(Number(believed.epoch) + 1);
    standby.endpoint.behave();
    await world.confirm();
    await world.allBecome('completed', [order]);
    await world.expectBookedOnce([order]);
    [holder, standby] = [standby, holder];
  });

  it('continues with the other worker when the reading one is killed', async () => {
    const before = await lease();
    const held = replies.holds(LOGS);
    holder.endpoint.misbehave(held);
    const order = await paidOrder();
    await until('it is in the middle of reading', () => held.waiting > 0, { everyMs: 2 });

    process.kill(holder.worker.pid, 'SIGKILL');
    const killedAt = performance.now();
    await world.confirm();
    await world.allBecome('completed', [order]);
    const tookMs = performance.now() - killedAt;

    expect(Number((await lease()).epoch)).toBe(Number(before.epoch) + 1);
    if (process.env['EVIDENCE'] === 'long') expect(tookMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);
    await world.expectBookedOnce([order]);
    expect(await world.service.breaches()).toEqual([]);
  });
});
