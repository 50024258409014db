import { describe, expect, it } from '@jest/globals';
import { forEachSeed, type SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import {
  LAST_BLOCK,
  openRequest,
  progressTo,
  readTo,
  timeOf,
  newStatuses,
  transfer,
} from '../../testing/requests/payment-request-builder.js';
import type { PaymentRequest } from './payment-request.js';
import type { Arrival, RecordedTransfer } from './transfer.js';

const AMOUNT = 100n;
const MINIMUM = 30n;
const CONFIRMATIONS = 6;
const END = LAST_BLOCK + 2 * CONFIRMATIONS;
const now = timeOf(END);

type Blocks = Arrival[][];

/** The outcome by the rules for a chain that no longer changes, computed in the plainest way. */
function verdict(blocks: Blocks): { status: string; received: bigint; by: Set<string> } {
  let received = 0n;
  const by = new Set<string>();
  for (const block of blocks) {
    for (const arrived of block) {
      if (arrived.uniqueAssetId === EURO.uniqueAssetId || arrived.blockTime > timeOf(LAST_BLOCK)) continue;
      received += arrived.amount;
      by.add(arrived.id);
    }
    if (received >= AMOUNT) return { status: received === AMOUNT ? 'completed' : 'overpaid', received, by };
  }
  return received < MINIMUM
    ? { status: 'expired', received: 0n, by: new Set() }
    : { status: 'underpaid', received, by };
}

function randomBlock(random: SeededRandom, number: number, eagerness: number): Arrival[] {
  const count = random.chance(eagerness) ? random.whole(1, 3) : 0;
  return Array.from({ length: count }, (_, index) => {
    const amount = random.chance(0.3) ? AMOUNT : BigInt(random.whole(1, 60));
    return random.chance(0.1)
      ? transfer(amount, number, index, EURO.uniqueAssetId)
      : transfer(amount, number, index);
  });
}

function finalAt(head: number): number | null {
  return head - CONFIRMATIONS + 1 < 0 ? null : head - CONFIRMATIONS + 1;
}

/** Blocks in a row of which no balances are known, up to the first with known balances. */
function randomGap(random: SeededRandom): { from: number; to: number } {
  const from = random.whole(LAST_BLOCK - 20, LAST_BLOCK + 2);
  return { from, to: Math.min(from + random.whole(0, 20), END - CONFIRMATIONS) };
}

/** It may have arrived as soon as balances were known last, so that is its date. */
function foundLate(random: SeededRandom, block: number, known: number): Arrival {
  const amount = random.chance(0.3) ? AMOUNT : BigInt(random.whole(1, 60));
  const place = { kind: 'balance', transactionHash: null, blockTime: timeOf(known) } as const;
  return { ...transfer(amount, block), ...place };
}

/**
 * Lives through mining, reorganisations, readings of several blocks at once and a time without balances.
 * @returns the chain as it ended
 */
function live(request: PaymentRequest, random: SeededRandom): Blocks {
  const eagerness = random.next() * 0.15;
  const gap = randomGap(random);
  const blocks: Blocks = [];
  let final: number | null = null;
  let known = -1;
  while (blocks.length <= END) {
    const unread: Arrival[] = [];
    for (let batch = random.whole(1, 4); batch > 0 && blocks.length <= END; batch -= 1) {
      const block = randomBlock(random, blocks.length, eagerness);
      if (blocks.length === gap.to && random.chance(0.5)) block.push(foundLate(random, gap.to, known));
      blocks.push(block);
      unread.push(...block);
    }
    for (const arrived of random.shuffled(unread)) request.receive([arrived], now);
    final = Math.max(final ?? -1, finalAt(blocks.length - 1) ?? -1);
    if (final < 0) final = null;
    const head = blocks.length - 1;
    if (head < gap.from || head >= gap.to) known = head;
    request.judge(new Map([[NETWORK, progressTo(head, final, known)]]), now);
    if (random.chance(0.3)) takeBack(request, blocks, final ?? -1, random);
    known = Math.min(known, blocks.length - 1);
  }
  return blocks;
}

/**
 * Never final blocks; and once the head has passed the deadline, never those before it: a request for which nothing
 * was seen by then has ended by the read head (docs/reference/payments.md, "Transitions").
 */
function takeBack(request: PaymentRequest, blocks: Blocks, final: number, random: SeededRandom): void {
  const head = blocks.length - 1;
  const deepest = Math.min(head - final, head > LAST_BLOCK ? head - LAST_BLOCK - 1 : head);
  if (deepest < 1) return;
  const lost = blocks.splice(blocks.length - random.whole(1, deepest)).flat();
  expect(request.lose(asRecorded(request, lost), now)).toEqual([]);
}

function asRecorded(request: PaymentRequest, lost: readonly Arrival[]): RecordedTransfer[] {
  const ids = new Set(lost.map(({ id }) => id));
  return request.snapshot().transfers.filter(({ id }) => ids.has(id));
}

function result(request: PaymentRequest) {
  const { status, receivedAmount, transfers } = request.snapshot();
  return {
    status,
    received: receivedAmount,
    by: new Set(transfers.filter(({ counted }) => counted).map(({ id }) => id)),
  };
}

describe('Any history of blocks, transfers and reorganisations', () => {
  it('ends a payment request as the final chain alone says', () => {
    const seen = new Set<string>();

    forEachSeed(500, (random) => {
      const request = openRequest(AMOUNT, undefined, MINIMUM);
      const chain = live(request, random);

      expect(result(request)).toEqual(verdict(chain));
      seen.add(request.snapshot().status);
    });

    expect([...seen].sort()).toEqual(['completed', 'expired', 'overpaid', 'underpaid']);
  });

  it('ends it the same when all of it is read at once, in any order, after a downtime', () => {
    forEachSeed(500, (random) => {
      const [lived, slept] = [
        openRequest(AMOUNT, undefined, MINIMUM),
        openRequest(AMOUNT, undefined, MINIMUM),
      ];
      const chain = live(lived, random);

      for (const arrived of random.shuffled(chain.flat())) slept.receive([arrived], now);
      slept.judge(readTo(END, finalAt(END)), now);

      expect(result(slept)).toEqual(result(lived));
    });
  });

  it('records one step for each change, ends once, and tells each step once', () => {
    forEachSeed(400, (random) => {
      const request = openRequest(AMOUNT, undefined, MINIMUM);
      live(request, random);

      const steps = request.snapshot().history.map(({ status }) => status);

      expect(newStatuses(request)).toEqual(
        steps.map((step) => (step === 'confirmed' ? 'ledger step' : step)),
      );
      expect(new Set(steps).size).toBe(steps.length);
    });
  });
});
