import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { claimExpiry, MAX_CLAIM_DAYS, Refund, type RefundSnapshot } from './refund.js';

const NOW = new Date('2030-01-01T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const LATEST = after(MAX_CLAIM_DAYS * 86_400_000);
const refund = (facts: Partial<RefundSnapshot> = {}) =>
  Refund.restore({
    ...{ id: newId(), organizationId: newId(), accountId: newId(), paymentRequestId: newId() },
    ...{ pointOfSaleId: newId(), merchantName: 'Shop', amount: 1n, status: 'pending', paidBy: 'float' },
    asset: { uniqueAssetId: 'x', network: 'sandbox', token: '0x1', symbol: 'USDT', decimals: 6 },
    ...{ claimExpiresAt: NOW, createdAt: after(-1_000), updatedAt: after(-1_000) },
    ...facts,
  } as RefundSnapshot);

describe('The claim of a refund', () => {
  it('names the address until the moment before its end', () => {
    const claimed = refund();
    claimed.claim('0xa', after(-1));

    expect(claimed.snapshot).toMatchObject({ to: '0xa', claimedAt: after(-1) });
    expect(() => refund().claim('0xa', NOW)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it.each<[string, Partial<RefundSnapshot>]>([
    ['was used', { to: '0xb' }],
    ['never was: the merchant has named the address', { claimExpiresAt: undefined } as never],
    ['was cancelled', { status: 'failed' }],
  ])('accepts no address if it %s', (_, facts) => {
    expect(() => refund(facts).claim('0xa', after(-1))).toThrow('Only a pending refund can be changed');
  });

  it('is replaced only while the payer has entered no address', () => {
    const waiting = refund();
    waiting.replaceClaimLink(after(5), after(1));

    expect(waiting.snapshot).toMatchObject({ claimExpiresAt: after(5), updatedAt: after(1) });
    for (const [facts, message] of [
      [{ to: '0xb' }, 'The payer has already entered an address'],
      [{ to: '0xb', status: 'processing' }, 'This refund is processing.'],
      [{ status: 'failed' }, 'This refund is failed.'],
    ] as const)
      expect(() => refund(facts).replaceClaimLink(after(5), NOW)).toThrow(message);
  });

  it('ends within a year and a day', () => {
    expect([claimExpiry(after(1), NOW), claimExpiry(LATEST, NOW)]).toEqual([after(1), LATEST]);
    for (const refused of [NOW, new Date(LATEST.getTime() + 1)])
      expect(() => claimExpiry(refused, NOW)).toThrow('at most 366 days ahead');
  });
});

describe('The end of a refund', () => {
  it.each(['completed', 'failed'] as const)('rejects a cancellation after the end: %s', (status) => {
    expect(() => refund({ status }).cancel(NOW, '0xf', 'no')).toThrow(
      `This refund is ${status} and can no longer be changed.`,
    );
  });

  it('returns the refund float that paid it, not its replacement, and the transaction', () => {
    const [cancelled, failed] = [0, 1].map(() => refund({ status: 'processing', floatAddress: '0xe' }));
    cancelled!.cancel(NOW, '0xf', 'no');
    failed!.fail('no', { transactionHash: '0x1' }, NOW);

    expect(cancelled!.pullEvents()).toMatchObject([{ data: { status: 'failed', from: '0xe' } }]);
    expect(failed!.pullEvents()).toMatchObject([{ data: { from: '0xe', transactionHash: '0x1' } }]);
  });
});
