import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { CONFIRMATIONS, NodeWorld, type NodeOrder } from './node-world.js';

interface Hold {
  readonly address: string;
  readonly payment_request_id: string;
  readonly released_at: Date | null;
}

interface ListedEvent {
  readonly event_type: string;
  readonly payment_request_id: string;
  readonly body: string;
}

let world: NodeWorld;

beforeAll(async () => {
  world = await NodeWorld.start(1);
});

afterAll(async () => {
  await world?.stop();
});

/** The payer's wallet would send them again like this. */
async function signed({ hashes }: NodeOrder): Promise<string[]> {
  return Promise.all(
    hashes.map((hash) => world.service.chain.rpc<string>('eth_getRawTransactionByHash', [hash])),
  );
}

/** Takes away the newest blocks, with all that was in them, and mines as many others. */
async function reorganise(blocks: number): Promise<void> {
  await world.caughtUp();
  await world.service.chain.rpc('anvil_reorg', [blocks, []]);
  // A chain that is replaced is replaced by a longer one.
  await world.service.chain.mine(1);
}

const untilBooked = (order: NodeOrder, booked: readonly string[]) =>
  eventually(
    async () => (await world.outcomes([order]))[0]!,
    (outcome) => JSON.stringify(outcome.booked) === JSON.stringify(booked),
  );

const holdsOn = ({ request }: NodeOrder) =>
  world.service.query<Hold>(
    `SELECT address, payment_request_id, released_at FROM payments.settlement_holds WHERE payment_request_id = $1`,
    [request.id],
  );

async function eventsOf({ request }: NodeOrder): Promise<ListedEvent[]> {
  const { data } = await world.service.api.get<{ data: ListedEvent[] }>('/v1/events?limit=500');
  return data.filter((event) => event.payment_request_id === request.id);
}

const alertsOn = ({ request }: NodeOrder) =>
  world.service
    .log('worker')
    .split('\n')
    .filter((line) => line.includes('"level":"error"') && line.includes(request.id));

describe('A reorganisation deeper than finality', () => {
  let order: NodeOrder;
  let bystander: NodeOrder;
  let again: string[];

  it('reverses the payment that disappears with it, once, and notifies operator and merchant', async () => {
    bystander = await world.order('7.07');
    await world.pay(bystander);
    await world.confirm();
    order = await world.order('50');
    await world.pay(order);
    await world.confirm();
    await world.allBecome('completed', [order, bystander]);
    await world.expectBookedOnce([order, bystander]);
    again = await signed(order);

    await reorganise(CONFIRMATIONS + 1);
    await untilBooked(order, ['payment_in 50000000', 'adjustment -50000000']);

    expect(await world.outcomes([order])).toMatchObject([{ status: 'completed', hashes: [] }]);
    expect(await holdsOn(order)).toMatchObject([
      { address: order.request.address.toLowerCase(), released_at: null },
    ]);
    // The worker writes its alert after the commit that the wait above ends with.
    expect(
      await eventually(
        async () => alertsOn(order),
        (alerts) => alerts.length > 0,
      ),
    ).toHaveLength(1);
    const events = await eventually(
      () => eventsOf(order),
      (list) => list.some(({ event_type: type }) => type === 'adjustment'),
    );
    expect(events.map(({ event_type: type }) => type)).toEqual([
      'payment_request',
      'payment_request',
      'adjustment',
    ]);
  });

  it('leaves alone what it did not take', async () => {
    await world.expectBookedOnce([bystander]);
    expect(await holdsOn(bystander)).toEqual([]);
    expect(alertsOn(bystander)).toEqual([]);
  });

  it('makes a deposit of the same transaction, mined again', async () => {
    for (const raw of again) await world.service.chain.rpc('eth_sendRawTransaction', [raw]);
    await world.confirm();
    await untilBooked(order, ['payment_in 50000000', 'adjustment -50000000', 'deposit 50000000']);

    expect(await world.outcomes([order])).toMatchObject([{ status: 'completed', hashes: order.hashes }]);
    expect(await holdsOn(order)).toHaveLength(1);
    const events = await eventually(
      () => eventsOf(order),
      (list) => list.some(({ event_type: type }) => type === 'deposit'),
    );
    expect(JSON.parse(events.at(-1)!.body)).toMatchObject({ data: { payment_request_id: order.request.id } });
  });

  it('reverses also that deposit, and makes another', async () => {
    const before = ['payment_in 50000000', 'adjustment -50000000', 'deposit 50000000'];
    await reorganise(CONFIRMATIONS + 1);
    await untilBooked(order, [...before, 'adjustment -50000000']);
    for (const raw of again) await world.service.chain.rpc('eth_sendRawTransaction', [raw]);
    await world.confirm();

    await untilBooked(order, [...before, 'adjustment -50000000', 'deposit 50000000']);
    expect(await holdsOn(order)).toHaveLength(2);
  });

  it('reverses of two transfers only the one that it takes', async () => {
    const parts = await world.order('30', world.native);
    await world.pay(parts, '10');
    await world.confirm();
    await world.pay(parts, '20');
    await world.confirm();
    await world.allBecome('completed', [parts]);
    await world.expectBookedOnce([parts]);

    await reorganise(CONFIRMATIONS + 1);

    const ether = 10n ** 18n;
    await untilBooked(parts, [`payment_in ${30n * ether}`, `adjustment -${20n * ether}`]);
    expect(await world.outcomes([parts])).toMatchObject([{ status: 'completed', hashes: [parts.hashes[0]] }]);
    expect(await holdsOn(parts)).toHaveLength(1);
  });

  it('goes on collecting, and leaves every invariant whole', async () => {
    const next = await world.order('8.08');
    await world.pay(next);
    await world.confirm();
    await world.allBecome('completed', [next]);
    await world.expectBookedOnce([next]);

    expect(await world.service.breaches()).toEqual([]);
  });
});
