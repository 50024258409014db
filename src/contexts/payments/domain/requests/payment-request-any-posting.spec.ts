import { describe, expect, it } from '@jest/globals';
import { forEachSeed, type SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { BookedLife } from '../../testing/requests/booked-life.js';
import { LAST_BLOCK, LAST_OTHER_BLOCK } from '../../testing/requests/payment-request-builder.js';

const END = Math.max(LAST_BLOCK, LAST_OTHER_BLOCK) + 20;

/** Whatever a chain may do to a request, and in whatever order it is read. */
function live(random: SeededRandom): BookedLife {
  const life = new BookedLife(random);
  const unwell = random.chance(0.05) ? random.whole(5, END) : END + 1;
  while (life.networks.some((network) => life.heightOf(network) < END)) {
    const network = life.networks[random.whole(0, life.networks.length - 1)]!;
    if (life.heightOf(network) < END) life.read(network, random.whole(1, 6));
    if (random.chance(0.4)) life.agreeOnSome(0.5);
    if (random.chance(0.15)) life.takeBack(network, random.whole(1, random.chance(0.3) ? 40 : 5));
    if (life.heightOf(network) >= unwell) life.fail();
  }
  life.settle();
  return life;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe('Any history of arrivals, reorganisations beyond finality, agreements and readings', () => {
  it('books every final unit once, and takes off what disappears', () => {
    const seen = new Set<string>();

    forEachSeed(100, (random) => {
      const life = live(random);
      const { status } = life.state();

      const booked = life.booked();
      expect(['pending', 'created', 'processing']).not.toContain(status);
      expect(sum(booked.map(({ amount }) => amount))).toBe(sum(life.standing().map(({ amount }) => amount)));
      seen.add(status);
      for (const { as } of booked) seen.add(as);
    });

    expect([...seen].sort()).toEqual([
      'after_outcome',
      'completed',
      'confirmed',
      'deposit reversed',
      'expired',
      'failed',
      'late',
      'other_asset',
      'overpaid',
      'payment_in reversed',
      'underpaid',
    ]);
  });

  it('keeps what was received equal to what counts and what was reversed of it, at every step', () => {
    let reversed = 0;

    forEachSeed(60, (random) => {
      const life = live(random);

      const wrong = life.steps.filter(
        (step) => step.counted + step.reversed !== step.received || step.reversedAmount !== step.reversed,
      );
      expect(wrong).toEqual([]);
      if (life.state().reversedAmount > 0n) reversed += 1;
    });

    expect(reversed).toBeGreaterThan(0);
  });

  it('leaves each transfer in one state, and lets it wait for a reason only, at every step', () => {
    const seen = new Set<string>();

    forEachSeed(60, (random) => {
      const life = live(random);

      const states = life.steps.flatMap((step) => step.states);
      expect(states.filter(({ length }) => length !== 1)).toEqual([]);
      for (const [state] of states) seen.add(state!);
    });

    expect([...seen].sort()).toEqual([
      'awaits agreement',
      'counted',
      'deposited',
      'gone',
      'not final',
      'request open',
      'reversed',
    ]);
  });

  it('tells each deposit with its reason and each reversal once, never before the outcome', () => {
    forEachSeed(60, (random) => {
      const life = live(random);

      expect(new Set(life.deposits().map(({ transferId }) => transferId)).size).toBe(life.deposits().length);
      expect(new Set(life.reversals().map(({ transferId }) => transferId)).size).toBe(
        life.reversals().length,
      );
      for (const { transferId, reason } of life.deposits()) expect(reason).toBe(life.reasonFor(transferId));
      for (const { occurredAt } of [...life.deposits(), ...life.reversals()])
        expect(occurredAt.getTime()).toBeGreaterThanOrEqual(life.endedAt().getTime());
    });
  });

  it('reverses a payment in parts that each begin where the one before has ended', () => {
    forEachSeed(60, (random) => {
      const life = live(random);
      const { receivedAmount, reversedAmount } = life.state();

      let stands = receivedAmount;
      for (const { postedAs, before, after } of life.reversals()) {
        if (postedAs === 'deposit') {
          expect(after).toBe('0');
          continue;
        }
        expect(before).toBe(stands.toString());
        stands = BigInt(after);
      }
      expect(stands).toBe(receivedAmount - reversedAmount);
    });
  });
});
