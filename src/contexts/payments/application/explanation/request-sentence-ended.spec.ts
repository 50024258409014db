import { describe, expect, it } from '@jest/globals';
import {
  ADDRESS,
  at,
  dollars,
  FINAL,
  reading,
  toExplain,
  withoutChoice,
} from '../../testing/explanation/request-to-explain.js';
import type { RequestToExplain } from './explanation-view.js';
import { explainRequest } from './request-sentence.js';

const PAID = { confirmedAt: at('12:04:00') } as const;
const paid = (whole: number) => dollars(whole, { ...FINAL, bookedAs: 'payment_in' });
const LATE = dollars(3, { counted: false, blockTime: at('12:12:20') });
const EUROS = dollars(3, { counted: false, uniqueAssetId: 'nsandbox_tEURX', currency: 'EURX' });

/** Code and sentence. */
function told(request: RequestToExplain): [string, string] {
  const { code, summary } = explainRequest(request);
  return [code, summary];
}

describe('Explaining a request that has ended', () => {
  it('says that it was paid, how much and when', () => {
    expect(told(toExplain({ status: 'completed', ...PAID, transfers: [paid(10)] }))).toEqual([
      'completed',
      'Paid: 10 USDX of 10 USDX received, final at 2026-01-31 12:04:00 UTC.',
    ]);
  });

  it('says by how much it was overpaid', () => {
    const { code, summary, facts } = explainRequest(
      toExplain({ status: 'overpaid', ...PAID, transfers: [paid(12.5)] }),
    );

    expect([code, summary]).toEqual([
      'overpaid_by',
      'Overpaid by 2.5 USDX: 12.5 USDX of 10 USDX received, final at 2026-01-31 12:04:00 UTC.',
    ]);
    expect(facts.excessAmount).toBe(2_500_000n);
  });

  it('says by how much it was underpaid, and what came besides', () => {
    const transfers = [paid(7), { ...LATE, ...FINAL }];

    expect(told(toExplain({ status: 'underpaid', ...PAID, transfers }))).toEqual([
      'underpaid_by',
      'Underpaid by 3 USDX: 7 USDX of 10 USDX received, final at 2026-01-31 12:04:00 UTC. In addition, 1 transfer arrived that does not count.',
    ]);
  });

  it('says that it expired unpaid, and how far was looked', () => {
    expect(told(toExplain({ status: 'expired', networks: [reading({ toTime: at('12:09:10') })] }))).toEqual([
      'expired_unpaid',
      `The payment window closed at 2026-01-31 12:08:00 UTC, and no payment of 10 USDX to ${ADDRESS} on sandbox was detected; sandbox ` +
        'was read up to block 20 (2026-01-31 12:09:10 UTC).',
    ]);
  });

  it('says that its merchant accepts that a little is missing', () => {
    const request = toExplain({ status: 'underpaid', fulfilled: true, ...PAID, transfers: [paid(9.95)] });

    expect(told(request)).toEqual([
      'underpaid_by',
      expect.stringMatching(/^Underpaid by 0\.05 USDX, and accepted: 9\.95 USDX of 10 USDX received, final/),
    ]);
  });

  it('says that it expired before its payer chose an asset', () => {
    expect(told(withoutChoice({ status: 'expired' }))).toEqual([
      'expired_unpaid',
      'The payment window closed at 2026-01-31 12:08:00 UTC, and the payer had not chosen an asset.',
    ]);
  });

  it.each([
    ['late', LATE],
    ['other_asset', EUROS],
    ['after_outcome', dollars(3, { counted: false })],
  ])('says that it expired because what came was %s', (code, transfer) => {
    const explained = explainRequest(toExplain({ status: 'expired', transfers: [transfer] }));

    expect(explained.code).toBe(code);
    expect(explained.summary).toMatch(
      /^This request expired unpaid\. 3 (?:USDX|EURX) in block 19 of sandbox /,
    );
    expect(explained.summary).toContain('once it is final (it has 2 of 12 confirmations)');
  });

  it('says that it has failed', () => {
    expect(told(toExplain({ status: 'failed' }))).toEqual([
      'failed',
      'This request has failed: its asset or network was removed, or no address could be created.',
    ]);
    expect(told(withoutChoice({ status: 'failed' }))[0]).toBe('failed');
  });

  it('says that what it was paid with has disappeared, above all else', () => {
    const gone = dollars(10, { counted: false, bookedAs: 'payment_in', reversedAt: at('13:00:00') });
    const request = toExplain({
      status: 'completed',
      ...PAID,
      transfers: [gone],
      receivedAmount: 10_000_000n,
    });

    expect(told(request)).toEqual([
      'reversed',
      'This request was completed, but 10 USDX in block 19 of sandbox was final but disappeared from the chain, which was detected at 2026-01-31 13:00:00 UTC; its ledger record was reversed. Its address is not settled until the operator has checked it; the payer may have to pay again.',
    ]);
  });

  it('stays paid where only a deposit has disappeared', () => {
    const gone = {
      ...LATE,
      bookedAs: 'deposit',
      depositedAt: at('12:15:00'),
      reversedAt: at('13:00:00'),
    } as const;
    const { code, transfers } = explainRequest(
      toExplain({ status: 'completed', ...PAID, transfers: [paid(10), gone] }),
    );

    expect(code).toBe('completed');
    expect(transfers.map((transfer) => transfer.code)).toEqual(['counted', 'reversed']);
  });
});
