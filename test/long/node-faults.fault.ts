import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerProcess } from '#sandbox/processes/child-process.js';
import { closeWindows, playRound, type Unfinished } from '#test/faults/node-round.js';
import { CONFIRMATIONS, NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { until } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';
import { eventually } from '#test/support/eventually.js';
import { lag } from '#test/support/rpc/rpc-knowledge.js';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import * as replies from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';

/** More than any answer that is read whole, and what lies in the sockets' buffers. */
const MAX_TAKEN = 64 * (1 << 20);
const LOGS = { methods: ['eth_getLogs'] };
/** `npm run evidence -- node-faults` measures this. */
const TAKEN_OVER_WITHIN_MS = 10_000;

let world: NodeWorld;
const endpoint = () => world.endpoints[0]!;

beforeAll(async () => {
  world = await NodeWorld.start(1);
});

afterAll(async () => {
  await world?.stop();
});

beforeEach(() => endpoint().behave());

// The simulator plays most faults of nodes; src/chains has those of single answers.
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

  it('is read only up to a limit if its answer is endless', () => {
    expect(taken.bytes).toBeGreaterThan(0);
    expect(taken.bytes).toBeLessThan(MAX_TAKEN);
  });

  it('causes no broken invariant after the payment windows have closed', async () => {
    await closeWindows(world, left);
  });
});

describe('A reorganization deeper than finality', () => {
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

    await reorganize();
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
    const types = await eventually(eventTypes, ({ length }) => length >= 6);
    expect(types.slice(3).sort()).toEqual(['deposit', 'incoming_transfer', 'incoming_transfer']);

    await reorganize();
    await untilBooked([...deposited, 'adjustment -50000000']);
    await mineAgain();

    await untilBooked([...deposited, 'adjustment -50000000', 'deposit 50000000']);
    expect(await holdsOn(order)).toHaveLength(2);
    expect(await world.service.breaches()).toEqual([]);
  });

  async function reorganize(): Promise<void> {
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

  beforeAll(async () => {
    holder = { worker: world.service.processes.worker, endpoint: endpoint() };
    const another = await RpcProxy.before(world.service.chain.url);
    standby = { worker: await world.service.anotherWorker([another.url]), endpoint: another };
  });

  afterAll(async () => {
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
