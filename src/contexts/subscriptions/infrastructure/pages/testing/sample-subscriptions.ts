import type { ShownCharge, SubscriptionPageModel } from '../subscription-page-model.js';

export const CODE = 'Zr0t8pJ5cVd2mQw7LxK1Ag';
const NOW = new Date('2027-05-02T09:30:00Z');

const offered: SubscriptionPageModel = {
  code: CODE,
  merchant: 'Corner Coffee',
  ...{ amount: '12.5', symbol: 'USDC', assetName: 'USD Coin', networkName: 'Polygon', interval: 'P1M' },
  status: 'pending',
  offeredUntil: new Date('2027-05-03T09:00:00Z'),
  now: NOW,
  ...{ charges: [], page: 1, pages: 0 },
};

/** Due on the last days of months, the newest first. */
export function paidCharges(count: number, before = new Date('2027-05-01T00:00:00Z')): ShownCharge[] {
  return Array.from({ length: count }, (_, n) => {
    const dueAt = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() - n, 0, 10));
    return { dueAt, status: 'paid', missed: false, paidAt: new Date(dueAt.getTime() + 60_000) };
  });
}

const toPay = {
  dueAt: new Date('2027-04-30T10:00:00Z'),
  until: new Date('2027-05-31T10:00:00Z'),
  refused: false,
};
const open: ShownCharge = { dueAt: toPay.dueAt, status: 'open', missed: false };
const overdue: ShownCharge = { ...open, missed: true };
const before = paidCharges(3, new Date('2027-04-01T00:00:00Z'));

const active: SubscriptionPageModel = {
  ...offered,
  status: 'active',
  acceptedAt: new Date('2027-01-31T10:00:00Z'),
  nextAt: new Date('2027-05-31T10:00:00Z'),
  ...{ charges: paidCharges(4), pages: 1 },
};

/** Without a date that follows. */
function ended(change: Partial<SubscriptionPageModel>): SubscriptionPageModel {
  const { nextAt: _, ...model } = active;
  return { ...model, ...change };
}

/** Each state that a payer can find. */
export const EVERY_SUBSCRIPTION = {
  offered,
  'offered with a trial': {
    ...offered,
    interval: 'P1Y',
    freeUntil: new Date('2027-06-02T09:00:00Z'),
    nextAt: new Date('2027-06-02T09:00:00Z'),
    endsAt: new Date('2030-06-02T09:00:00Z'),
  },
  free: {
    ...offered,
    status: 'active',
    acceptedAt: new Date('2027-05-01T09:00:00Z'),
    freeUntil: new Date('2027-06-02T09:00:00Z'),
    nextAt: new Date('2027-06-02T09:00:00Z'),
  },
  active,
  'active with a charge to pay': { ...active, toPay, charges: [open, ...before] },
  'active with a charge that cannot be opened': {
    ...active,
    toPay: { ...toPay, refused: true },
    charges: [open, ...before],
  },
  'active without a date that follows': ended({ endsAt: new Date('2027-05-15T00:00:00Z') }),
  'past due': { ...active, status: 'past_due', toPay, charges: [overdue, ...before] },
  'past due with nothing to pay': {
    ...active,
    status: 'past_due',
    charges: [{ ...overdue, status: 'unpaid' }, ...before],
  },
  completed: ended({ status: 'completed', endsAt: new Date('2027-05-01T00:00:00Z') }),
  expired: { ...offered, status: 'expired', offeredUntil: new Date('2027-05-01T09:00:00Z') },
  'revoked by the merchant': ended({ status: 'revoked', revokedBy: 'merchant' }),
  'revoked by the wallet': ended({ status: 'revoked', revokedBy: 'wallet', charges: [open, ...before] }),
  'revoked by the payer': ended({ status: 'revoked', revokedBy: 'payer' }),
  'revoked unpaid': ended({
    status: 'revoked',
    revokedBy: 'unpaid',
    charges: paidCharges(3).map(({ dueAt }) => ({ dueAt, status: 'unpaid', missed: true })),
  }),
  'on its second page of charges': { ...active, charges: paidCharges(12), page: 2, pages: 3 },
} satisfies Record<string, SubscriptionPageModel>;
