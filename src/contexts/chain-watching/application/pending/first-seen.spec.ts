import { describe, expect, it } from '@jest/globals';
import { chooseFirstSeen, isGracePeriodExtended, type PendingPayment } from './first-seen.js';

const HOUR_MS = 3_600_000;
const at = (hour: number) => new Date(hour * HOUR_MS);
const sightOf = (seenAt: number, lapsesAt: number) => ({
  seenAt: at(seenAt),
  lapsesAt: at(lapsesAt),
  evidence: {},
});
/** A transfer that was seen and lapses at these hours. */
const seen = (seenAt: number, lapsesAt: number, amount = 7n) =>
  ({ uniqueAssetId: 'btc', amount, sight: sightOf(seenAt, lapsesAt) }) as never;
const recorded = (seenAt: number, lapsesAt: number) => ({ transfer: seen(seenAt, lapsesAt) }) as never;

/** A payment that is seen at hour 5 and would lapse an hour later. */
const payment = {
  outputs: [seen(5, 6)],
  terms: { expiresAt: at(2) },
  graceSeconds: 3_600,
} as unknown as PendingPayment;
const hours = ({ seenAt, lapsesAt }: ReturnType<typeof chooseFirstSeen>) =>
  [seenAt, lapsesAt].map((time) => time.getTime() / HOUR_MS);

describe('The first sight of a payment', () => {
  it.each([
    ['its own, if it is new', [], [], [5, 6]],
    ['that of its latest record', [recorded(3, 4), recorded(3, 9), { transfer: {} } as never], [], [3, 9]],
    ['its own, if it pays more than it replaces', [], [seen(1, 25, 3n), seen(1, 25, 3n)], [5, 6]],
    ['that of the payment that it replaces, with the longer grace period of it', [], [seen(1, 25)], [1, 25]],
    ['that of the payment that it replaces, with its own longer grace period', [], [seen(1, 2)], [1, 3]],
    ['that of the latest of several that it replaces', [], [seen(1, 25), seen(3, 9), seen(2, 8)], [3, 9]],
  ])('is %s', (_, ofTransaction, replaced, expected) => {
    expect(hours(chooseFirstSeen(payment, ofTransaction, false, replaced))).toEqual(expected);
  });
});

describe('The grace period of a pending transfer', () => {
  it('is extended until the moment it ends', () => {
    const transfer = { blockNumber: Infinity, sight: sightOf(1, 2) } as never;
    const extended = { ...payment, terms: { expiresAt: at(3) } as never };

    expect([2, 2.001].map((hour) => isGracePeriodExtended(extended, transfer, at(hour)))).toEqual([
      true,
      false,
    ]);
  });
});
