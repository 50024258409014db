import { describe, expect, it } from '@jest/globals';
import { at, DOLLARS, dollars, FINAL, OTHER_DOLLARS, toExplain } from '../../testing/request-to-explain.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { TransferView } from '../requests/payment-request-view.js';
import { explainTransfer } from './transfer-sentence.js';
import type { RequestToExplain } from './explanation-view.js';

const UNCOUNTED = { counted: false } as const;
const endedRequest = (status: PaymentRequestStatus = 'completed') =>
  toExplain({ status, offered: [DOLLARS, OTHER_DOLLARS] });

function explainToTuple(
  transfer: TransferView,
  request = toExplain({ status: 'processing' }),
): [string, string] {
  const { code, summary } = explainTransfer(request, transfer);
  return [code, summary];
}

describe('The explanation of a transfer that counts', () => {
  const seen = { blockNumber: Infinity, confirmations: 0, seenAt: at('12:01:30'), lapsesAt: at('13:08:00') };

  it.each<[string, TransferView, string]>([
    ['confirming', dollars(4), '4 USDX in block 19 of sandbox counts and has 2 of 12 confirmations.'],
    ['counted', dollars(4, FINAL), 'is final and counts towards this request.'],
    [
      'confirming',
      dollars(4, { ...seen, arrivedAt: at('12:01:30') }),
      'was seen at 2026-01-31 12:01:30 UTC and is not in a block of sandbox yet; it counts if it is mined by 2026-01-31 13:08:00 UTC.',
    ],
    [
      'confirming',
      dollars(4, { ...seen, missingSince: at('12:04:00') }),
      'no node has reported it since 2026-01-31 12:04:00 UTC.',
    ],
    [
      'awaiting_agreement',
      dollars(4, { awaitsCrossCheck: true, confirmations: 12 }),
      'a second source must confirm it before it is final; has 12 of 12 confirmations.',
    ],
    [
      'awaiting_agreement',
      dollars(4, { kind: 'balance', awaitsCrossCheck: true, confirmations: 12 }),
      'was sent inside a contract call, so it is final only after a second balance check',
    ],
  ])('returns a reason with a sentence: %s (case %#)', (code, transfer, phrase) => {
    expect(explainToTuple(transfer)).toEqual([code, expect.stringContaining(phrase)]);
  });
});

describe('The explanation of a transfer that does not count', () => {
  const inTime = { ...UNCOUNTED, blockTime: at('12:09:00') };

  const { network, uniqueAssetId, address } = OTHER_DOLLARS;
  const euros = { uniqueAssetId: 'nsandbox_tEURX', currency: 'EURX' };
  const small = dollars(4, { ...UNCOUNTED, gatheredOn: '2026-01-31' });

  it.each<[string, TransferView, RequestToExplain, string]>([
    ['below_minimum', small, toExplain(), 'It counts once the sum reaches the minimum.'],
    ['below_minimum', small, toExplain({ status: 'expired' }), 'It does not count.'],
    [
      'late',
      dollars(4, { ...UNCOUNTED, blockTime: at('12:09:01') }),
      endedRequest(),
      '1 second after the deadline (2026-01-31 12:09:00 UTC). It does not count. It becomes a deposit of the account once it is final (it has 2 of 12 confirmations).',
    ],
    [
      'late',
      dollars(4, { ...UNCOUNTED, arrivedAt: at('12:10:00'), blockNumber: Infinity, confirmations: 0 }),
      toExplain({ status: 'processing' }),
      'It becomes a deposit of the account once this request has ended.',
    ],
    [
      'after_outcome',
      dollars(4, { ...inTime, ...FINAL }),
      endedRequest('overpaid'),
      'was received in time, but this request had already ended. It does not count. It becomes a deposit of the account in a moment.',
    ],
    [
      'after_outcome',
      dollars(4, { ...UNCOUNTED, network, uniqueAssetId, to: address }),
      endedRequest('processing'),
      'this request was being paid in another asset',
    ],
    [
      'other_asset',
      dollars(4, { ...inTime, ...euros }),
      endedRequest(),
      'is not the requested asset: 10 USDX on sandbox, or 10 USDX on polygon.',
    ],
    [
      'after_outcome',
      dollars(4, { ...inTime, ...FINAL, bookedAs: 'deposit', depositedAt: at('12:20:00') }),
      endedRequest(),
      ' It was recorded as a deposit at 2026-01-31 12:20:00 UTC.',
    ],
  ])('returns a reason with a sentence: %s (case %#)', (code, transfer, request, phrase) => {
    expect(explainToTuple(transfer, request)).toEqual([code, expect.stringContaining(phrase)]);
  });
});
