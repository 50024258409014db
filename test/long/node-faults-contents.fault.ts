import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { forkOff, otherFork, type ForkedChain } from '#test/support/rpc/rpc-fork.js';
import { emptyPastHead, frozen, lag, narrowRanges, prunedState } from '#test/support/rpc/rpc-knowledge.js';
import { allRemoved, gaps, noLogs, removedLogs, repeats, wrongBlock } from '#test/support/rpc/rpc-logs.js';
import { serverError } from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';
import {
  closeWindows,
  expectNothingBut,
  PAST_THE_DEADLINE,
  playRound,
  printDelays,
  UNDECIDED,
  type Round,
  type Unfinished,
} from '#test/faults/node-round.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { CONFIRMATIONS, NodeWorld, type NodeOrder } from '#test/faults/node-world.js';
import { until } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';

/** Some nodes behind one address lag, and others do not. */
const LOGS = { methods: ['eth_getLogs'] };

const ROUNDS: readonly [string, () => Misbehaviour[]][] = [
  ['lags by two blocks', () => [lag(2)]],
  ['lags beyond finality', () => [lag(2 * CONFIRMATIONS)]],
  ['finds no logs in its newest blocks', () => [lag(3, LOGS), emptyPastHead()]],
  ['skips some logs', () => [gaps(1)]],
  ['repeats logs', () => [repeats()]],
  ['shows removed logs too, out of order', () => [removedLogs()]],
  ['marks logs as removed', () => [allRemoved()]],
  ['shows logs as those of another block', () => [wrongBlock()]],
  ['refuses ranges wider than a block', () => [narrowRanges(1)]],
];

let world: NodeWorld;
const rounds: Round[] = [];
const left: Unfinished[] = [];
const forks: ForkedChain[] = [];

beforeAll(async () => {
  world = await NodeWorld.start(1);
});

afterAll(async () => {
  printDelays('From good answers to right statuses, where the only node', rounds);
  await world?.stop();
  for (const fork of forks) await fork.kill();
});

beforeEach(() => world.endpoints[0]!.behave());

describe('An only node that answers otherwise than the chain', () => {
  it.each(drawn(ROUNDS, 2))(
    'confirms nothing falsely and misses nothing where it %s',
    async (name, misbehaviours) => {
      const { delayMs, ...unfinished } = await playRound(world, misbehaviours());

      rounds.push({ name, delayMs });
      left.push(unfinished);
    },
  );

  it.each([
    ['shorter', 1],
    ['longer, but not as long as finality', CONFIRMATIONS - 2],
    ['longer than finality', 3 * CONFIRMATIONS],
  ])('drops another fork for the chain, where that fork is %s', async (name, blocks) => {
    await world.caughtUp();
    const fork = await forkOff(world.service.chain);
    forks.push(fork);
    const order = await world.order('10.01');
    await world.pay(order);
    await world.allBecome('processing', [order]);
    await fork.mine(blocks);

    world.endpoints[0]!.misbehave(otherFork(fork));
    if (blocks > 1) {
      const isUncounted = async () => (await world.outcomes([order]))[0]!.received === '0';
      await until('the payment, which is not on that fork, is un-counted', isUncounted);
    }
    const [seen] = await world.seenStatuses([order], 300);
    world.endpoints[0]!.behave();
    await world.confirm();
    const delayMs = await world.allBecome('completed', [order]);

    expectNothingBut(seen!, UNDECIDED);
    await world.expectBookedOnce([order]);
    rounds.push({ name: `was on another fork, ${name}`, delayMs });
  });

  it('finds what a contract has paid where the state of its block is forgotten', async () => {
    const order = await world.order('0.05', world.native);
    const [to, units] = [order.request.address as `0x${string}`, 5n * 10n ** 16n];
    world.endpoints[0]!.misbehave(prunedState(0));
    const payment = { token: world.nativeToken, to, amount: units };
    await world.service.wallet.mined(await world.service.wallet.sendFromContract([payment]));
    await world.confirm();
    const [seen] = await world.seenStatuses([order], 400);
    world.endpoints[0]!.behave();
    // One block, in which it is found; with more it might be final before anybody has looked.
    await world.service.chain.mine(1);
    await world.allBecome('processing', [order]);
    await world.confirm();
    const delayMs = await world.allBecome('completed', [order]);

    expectNothingBut(seen!, UNDECIDED);
    expect(await world.outcomes([order])).toMatchObject([{ received: String(units), hashes: [null] }]);
    rounds.push({ name: 'had forgotten the state', delayMs });
  });

  it('leaves every invariant whole once the windows have closed', async () => {
    await closeWindows(world, left);
  });
});

describe('An only node that hides a payment in time until the window has closed', () => {
  const hiding: readonly [string, (order: NodeOrder) => Promise<Misbehaviour[]>][] = [
    ['by standing still', async () => [frozen(await world.headNumber())]],
    [
      'by finding no logs in new blocks',
      async () => [frozen(await world.headNumber(), LOGS), emptyPastHead()],
    ],
    ['by telling no logs at all', async () => [noLogs()]],
    ['by answering nothing but errors', async () => [serverError(503)]],
  ];

  it.each(drawn(hiding, 2))('does not make it expire %s', async (name, misbehaviours) => {
    const order = await world.order('33.03');
    const first = await world.order('44.04');
    await world.pay(first, '4.04');
    await world.allBecome('processing', [first]);
    await world.confirm();
    world.endpoints[0]!.misbehave(...(await misbehaviours(order)));
    await world.pay(order);
    await world.pay(first, '40');

    await world.service.advance(PAST_THE_DEADLINE);
    await world.confirm();
    // Long enough for whoever believes it to read all of it twice.
    const isFinal = async () => (await world.cursor()).final! >= (await world.headNumber()) - CONFIRMATIONS;
    const seen = await world.seenStatuses([order, first], 400);
    await waitUntil(isFinal, { timeoutMs: 1_000 });
    seen.push(...(await world.seenStatuses([order, first], 200)));
    world.endpoints[0]!.behave();
    const delayMs = await world.allBecome('completed', [order, first]);

    // Both are paid, which block receipts can show although the logs do not.
    for (const statuses of seen) expectNothingBut(statuses, [...UNDECIDED, 'completed']);
    await world.expectBookedOnce([order, first]);
    expect(await world.service.breaches()).toEqual([]);
    rounds.push({ name: `hid payments past the deadline ${name}`, delayMs });
  });
});
