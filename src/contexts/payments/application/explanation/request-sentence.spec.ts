import { describe, expect, it } from '@jest/globals';
import {
  ADDRESS,
  at,
  BEHIND,
  DOLLARS,
  dollars,
  FINAL,
  OTHER_DOLLARS,
  reading,
  toExplain,
  withoutChoice,
} from '../../testing/request-to-explain.js';
import type { RequestToExplain } from './explanation-view.js';
import { explainRequest } from './request-sentence.js';
import { formatDuration } from './sentence-formatting.js';

const LATE_TRANSFER = dollars(3, { counted: false, blockTime: at('12:12:20') });
const OTHER_ASSET_TRANSFER = dollars(3, {
  counted: false,
  uniqueAssetId: 'nsandbox_tEURX',
  currency: 'EURX',
});
const DISPUTED_PROGRESS = reading({ disagreesSince: at('12:01:00') });

const paidTransfer = (whole: number) => dollars(whole, { ...FINAL, bookedAs: 'payment_in' });
const openRequest = (given: Partial<RequestToExplain> = {}) => toExplain({ status: 'processing', ...given });
const endedRequest = (status: RequestToExplain['status'], given: Partial<RequestToExplain> = {}) =>
  toExplain({ status, confirmedAt: at('12:04:00'), ...given });

describe('The explanation of an open request', () => {
  it.each<[string, string, RequestToExplain, string]>([
    ['an unpaid request', 'unseen', toExplain(), 'sandbox was read up to block 20'],
    [
      'pending transfers that count when first seen',
      'unseen',
      openRequest({ networks: [{ ...reading(), followsPending: true }] }),
      'replaced by another transaction, expired, or was in a block that the chain replaced. Transfers first seen by 2026-01-31 12:09:00 UTC count.',
    ],
    [
      'a network that is behind',
      'network_behind',
      toExplain({ networks: [BEHIND] }),
      'is 1 hour 2 minutes behind',
    ],
    [
      'a partial payment on a network that is behind',
      'short_by',
      openRequest({ transfers: [dollars(4)], networks: [BEHIND] }),
      '6 USDX is missing',
    ],
    [
      'a part in no block',
      'confirming',
      openRequest({ transfers: [dollars(4, { blockNumber: Infinity, confirmations: 0 }), dollars(6)] }),
      '4 USDX of it in a transfer that is not in a block yet.',
    ],
    [
      'a large amount and an internal transfer that await their cross-checks',
      'awaiting_agreement',
      openRequest({
        transfers: (['log', 'balance'] as const).map((kind) => dollars(5, { kind, awaitsCrossCheck: true })),
      }),
      'a second source confirms it, and a transfer inside a contract call is final only after a second balance check.',
    ],
    [
      'endpoints of its network that disagree',
      'awaiting_agreement',
      openRequest({ transfers: [dollars(10)], networks: [DISPUTED_PROGRESS] }),
      'two sources of sandbox have disagreed since 2026-01-31 12:01:00 UTC',
    ],
    [
      'another asset, before a network that is behind',
      'other_asset',
      toExplain({ transfers: [OTHER_ASSET_TRANSFER], networks: [BEHIND], offered: [DOLLARS, OTHER_DOLLARS] }),
      '3 EURX in block 19 of sandbox is not the requested asset: 10 USDX on sandbox, or 10 USDX on polygon.',
    ],
    [
      'a late payment, before another asset',
      'late',
      toExplain({ transfers: [OTHER_ASSET_TRANSFER, LATE_TRANSFER] }),
      '3 minutes 20 seconds after the deadline',
    ],
    [
      'a checkout without an asset in its last moment',
      'asset_not_selected',
      withoutChoice({ now: at('12:08:00') }),
      'has until 2026-01-31 12:08:00 UTC',
    ],
    [
      'a checkout without an asset after its window',
      'asset_not_selected',
      withoutChoice({ now: at('12:08:01') }),
      'had until 2026-01-31 12:08:00 UTC',
    ],
  ])('explains %s as %s', (_, code, request, phrase) => {
    expect(explainRequest(request)).toMatchObject({ code, summary: expect.stringContaining(phrase) });
  });

  it('states the missing amount, and the excess with the fewest confirmations', () => {
    const short = openRequest({ transfers: [dollars(4), dollars(0.5, { confirmations: 1 })] });
    const transfers = [dollars(4, { confirmations: 3 }), dollars(6), dollars(0.5, FINAL)];

    expect(explainRequest(short)).toMatchObject({
      code: 'short_by',
      summary:
        '4.5 USDX of 10 USDX was received, 5.5 USDX is missing; transfers in a block by 2026-01-31 12:09:00 UTC count.',
      facts: {
        missingAmount: 5_500_000n,
        excessAmount: undefined,
        confirmations: 1,
        requiredConfirmations: 12,
      },
    });
    expect(explainRequest(openRequest({ transfers }))).toMatchObject({
      code: 'confirming',
      facts: { missingAmount: undefined, excessAmount: 500_000n, confirmations: 2 },
    });
  });
});

describe('The explanation of a request that has ended', () => {
  it.each<[string, string, RequestToExplain, string]>([
    [
      'a full payment',
      'completed',
      endedRequest('completed', { transfers: [paidTransfer(10)] }),
      'Paid: 10 USDX of 10 USDX received, final at 2026-01-31 12:04:00 UTC.',
    ],
    [
      'an overpayment',
      'overpaid_by',
      endedRequest('overpaid', { transfers: [paidTransfer(12.5)] }),
      'Overpaid by 2.5 USDX: 12.5 USDX',
    ],
    [
      'an underpayment with a late transfer',
      'underpaid_by',
      endedRequest('underpaid', { transfers: [paidTransfer(7), { ...LATE_TRANSFER, ...FINAL }] }),
      'Underpaid by 3 USDX: 7 USDX of 10 USDX received, final at 2026-01-31 12:04:00 UTC. In addition, 1 transfer arrived that does not count.',
    ],
    [
      'an accepted underpayment',
      'underpaid_by',
      endedRequest('underpaid', { fulfilled: true, transfers: [paidTransfer(9.95)] }),
      'Underpaid by 0.05 USDX, and accepted: ',
    ],
    [
      'an expired request',
      'expired_unpaid',
      toExplain({ status: 'expired' }),
      `no payment of 10 USDX to ${ADDRESS}`,
    ],
    [
      'a late payment',
      'late',
      toExplain({ status: 'expired', transfers: [LATE_TRANSFER] }),
      '3 USDX in block 19',
    ],
    [
      'another asset',
      'other_asset',
      toExplain({ status: 'expired', transfers: [OTHER_ASSET_TRANSFER] }),
      '3 EURX in block 19',
    ],
    [
      'a payment after the outcome',
      'after_outcome',
      toExplain({ status: 'expired', transfers: [dollars(3, { counted: false })] }),
      'once it is final (it has 2 of 12 confirmations)',
    ],
    ['a failed request', 'failed', toExplain({ status: 'failed' }), 'This request has failed'],
  ])('explains %s as %s', (_, code, request, phrase) => {
    expect(explainRequest(request)).toMatchObject({ code, summary: expect.stringContaining(phrase) });
  });

  it('reports a reversed payment before its outcome, but not a reversed deposit', () => {
    const gone = { counted: false, reversedAt: at('13:00:00') };
    const payment = dollars(10, { ...gone, bookedAs: 'payment_in' });
    const deposit = { ...LATE_TRANSFER, ...gone, bookedAs: 'deposit', depositedAt: at('12:15:00') } as const;

    expect(explainRequest(endedRequest('completed', { transfers: [payment] }))).toMatchObject({
      code: 'reversed',
      summary: expect.stringMatching(/was completed, but 10 USDX .*its ledger record was reversed/),
    });
    expect(
      explainRequest(endedRequest('completed', { transfers: [paidTransfer(10), deposit] })),
    ).toMatchObject({
      code: 'completed',
      transfers: [{ code: 'counted' }, { code: 'reversed' }],
    });
  });
});

describe('A duration in words', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59.9, '59 seconds'],
    [60, '1 minute'],
    [3_725, '1 hour 2 minutes'],
    [86_400, '1 day'],
    [2 * 86_400 + 7_261, '2 days 2 hours'],
  ])('shows the two largest units of %d seconds: %s', (seconds, words) => {
    expect(formatDuration(seconds)).toBe(words);
  });
});
