import { expect } from '@jest/globals';
import type { Misbehaviour } from '../support/rpc/rpc-wire.js';
import type { NodeOrder, NodeWorld } from './node-world.js';
import { until } from './orders.js';

/** How long a misbehaving node is looked on, each time. Milliseconds. */
const LOOKED_ON = 200;

/** A round leaves these behind: paid in part, and not at all. */
export interface Unfinished {
  readonly short: NodeOrder;
  readonly unpaid: NodeOrder;
}

/**
 * Requests are created and paid before, while and after the world's only endpoint misbehaves: by one transfer, by two,
 * in native coin, and not enough. Nothing is confirmed falsely meanwhile; afterwards nothing is missed or doubled.
 */
export async function playRound(
  world: NodeWorld,
  misbehaviours: readonly Misbehaviour[],
): Promise<Unfinished> {
  const endpoint = world.endpoints[0]!;
  const early = await world.order('10.01');
  const inParts = await world.order('20.02');
  const native = await world.order('0.03', world.native);
  const [short, unpaid] = [await world.order('40.04'), await world.order('50.05')];
  await world.pay(early);
  await world.pay(inParts, '8');
  await world.allBecome('processing', [early, inParts]);

  endpoint.misbehaved.clear();
  endpoint.misbehave(...misbehaviours);
  await world.pay(inParts, '12.02');
  await world.pay(native);
  await world.pay(short, '30');
  const fresh = await world.order('60.06');
  await world.pay(fresh);
  const paid = [early, inParts, native, fresh];
  const unfinal = [inParts, native, fresh, short, unpaid];
  for (const seen of await world.seenStatuses(unfinal, LOOKED_ON)) expectNothingBut(seen, UNDECIDED);
  await world.confirm();
  const seen = await world.seenStatuses([...paid, short, unpaid], LOOKED_ON);
  for (const statuses of seen.slice(0, -2)) expectNothingBut(statuses, [...UNDECIDED, 'completed']);
  for (const statuses of seen.slice(-2)) expectNothingBut(statuses, UNDECIDED);
  await until('it has misbehaved in every way', () =>
    misbehaviours.every(({ name }) => endpoint.misbehaved.has(name)),
  );

  endpoint.behave();
  await world.allBecome('completed', paid);
  const later = await world.order('70.07');
  await world.pay(later);
  await world.confirm();
  await world.allBecome('completed', [later]);
  await world.expectBookedOnce([...paid, later]);
  expect(await world.outcomes([short, unpaid])).toMatchObject([
    { status: 'processing', received: '30000000', hashes: short.hashes, booked: [] },
    { status: 'created', received: '0', hashes: [], booked: [] },
  ]);
  return { short, unpaid };
}

export const UNDECIDED = ['created', 'processing'];

export function expectNothingBut(seen: ReadonlySet<string>, allowed: readonly string[]): void {
  expect([...seen].filter((status) => !allowed.includes(status))).toEqual([]);
}

export async function closeWindows(world: NodeWorld, left: readonly Unfinished[]): Promise<void> {
  await world.service.advance(PAST_THE_DEADLINE);
  await world.confirm();
  const shorts = left.map(({ short }) => short);
  const unpaid = left.map((one) => one.unpaid);
  await world.allBecome('underpaid', shorts);
  await world.allBecome('expired', unpaid);
  await world.expectBookedOnce(shorts);
  expect(await world.service.breaches()).toEqual([]);
}

export const PAST_THE_DEADLINE = 600;
