import { describe, expect, it } from '@jest/globals';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { newDeposits } from '../../domain/requests/booking/deposit-rule.js';
import {
  selectionOf,
  someFacts,
  transfer as recorded,
} from '../../testing/requests/payment-request-builder.js';
import {
  at,
  DOLLARS,
  dollars,
  FINAL,
  OTHER_DOLLARS,
  toExplain,
} from '../../testing/explanation/request-to-explain.js';
import { initialProgress } from '../../domain/requests/outcome/progress.js';
import type { RecordedTransfer } from '../../domain/requests/transfer.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { TransferView } from '../requests/payment-request-view.js';
import { explainTransfer } from './transfer-sentence.js';

const UNCOUNTED = { counted: false } as const;
const ended = (status: PaymentRequestStatus = 'completed') =>
  toExplain({ status, offered: [DOLLARS, OTHER_DOLLARS] });

function told(transfer: TransferView, request = toExplain({ status: 'processing' })): [string, string] {
  const { code, summary } = explainTransfer(request, transfer);
  return [code, summary];
}

describe('What became of a transfer of a sum below the minimum', () => {
  const small = dollars(4, { ...UNCOUNTED, gatheredOn: '2026-01-31' });

  it.each([
    ['created', 'It counts once the sum reaches the minimum.'],
    ['expired', 'It does not count.'],
  ] as const)('is that of a %s request', (status, what) => {
    const [code, sentence] = told(small, toExplain({ status }));

    expect(code).toBe('below_minimum');
    expect(sentence).toContain(
      `is part of a sum below the minimum of its asset. ${what} It becomes a deposit`,
    );
  });
});

describe('What became of a transfer that counts', () => {
  it('is how deep it is', () => {
    expect(told(dollars(4))).toEqual([
      'confirming',
      '4 USDX in block 19 of sandbox counts and has 2 of 12 confirmations.',
    ]);
  });

  it('is in no block yet: when it was seen, and until when it counts', () => {
    const seen = { seenAt: at('12:01:30'), arrivedAt: at('12:01:30'), lapsesAt: at('13:08:00') };
    const pending = dollars(4, { ...seen, blockNumber: Infinity, confirmations: 0 });
    const sentence =
      '4 USDX was seen at 2026-01-31 12:01:30 UTC and is not in a block of sandbox yet; it counts if it is mined by 2026-01-31 13:08:00 UTC';

    expect(told(pending)).toEqual(['confirming', `${sentence}.`]);
    expect(told({ ...pending, missingSince: at('12:04:00') })).toEqual([
      'confirming',
      `${sentence}, and no node has reported it since 2026-01-31 12:04:00 UTC.`,
    ]);
  });

  it('is in no block yet and late by when it was first seen', () => {
    const seen = { seenAt: at('12:10:00'), arrivedAt: at('12:10:00'), lapsesAt: at('13:10:00') };
    const late = dollars(4, { ...UNCOUNTED, ...seen, blockNumber: Infinity, confirmations: 0 });

    expect(told(late)).toEqual([
      'late',
      '4 USDX not in a block of sandbox yet was received at 2026-01-31 12:10:00 UTC, 1 minute after the deadline (2026-01-31 12:09:00 UTC). It does not count. It becomes a deposit of the account once this request has ended.',
    ]);
  });

  it('is that it is final', () => {
    expect(told(dollars(4, FINAL))).toEqual([
      'counted',
      '4 USDX in block 19 of sandbox is final and counts towards this request.',
    ]);
  });

  it('is that a second source must tell the same, however deep it is', () => {
    expect(told(dollars(4, { awaitsCrossCheck: true, confirmations: 12 }))).toEqual([
      'awaiting_agreement',
      '4 USDX in block 19 of sandbox counts, and is so large that a second source must confirm it before it is final; has 12 of 12 confirmations.',
    ]);
  });

  it('is that balances must be looked at again where it came inside a contract call, however small it is', () => {
    const internal = dollars(4, { kind: 'balance', awaitsCrossCheck: true, confirmations: 12 });

    expect(told(internal)).toEqual([
      'awaiting_agreement',
      '4 USDX in block 19 of sandbox counts, and was sent inside a contract call, so it is final only after a second balance check; has 12 of 12 confirmations.',
    ]);
  });
});

describe('What became of a transfer that does not count', () => {
  const inTime = { ...UNCOUNTED, blockTime: at('12:09:00') };

  it('is that it came late, from the first second on', () => {
    const late = { ...UNCOUNTED, blockTime: at('12:09:01') };

    expect(told(dollars(4, late), ended())).toEqual([
      'late',
      '4 USDX in block 19 of sandbox was received at 2026-01-31 12:09:01 UTC, 1 second after the deadline (2026-01-31 12:09:00 UTC). It does not count. It becomes a deposit of the account once it is final (it has 2 of 12 confirmations).',
    ]);
    expect(told(dollars(4, inTime), ended())[0]).toBe('after_outcome');
  });

  it('is that the request had ended', () => {
    expect(told(dollars(4, { ...inTime, ...FINAL }), ended('overpaid'))).toEqual([
      'after_outcome',
      '4 USDX in block 19 of sandbox was received in time, but this request had already ended. It does not count. It becomes a deposit of the account in a moment.',
    ]);
  });

  it('is that another choice was being paid', () => {
    const request = toExplain({ status: 'processing', offered: [DOLLARS, OTHER_DOLLARS] });
    const { network, uniqueAssetId, address } = OTHER_DOLLARS;
    const other = dollars(4, { ...UNCOUNTED, network, uniqueAssetId, to: address });

    expect(told(other, request)).toEqual([
      'after_outcome',
      '4 USDX in block 19 of polygon was received in time, but this request was being paid in another asset. It does not count. It becomes a deposit of the account once this request has ended.',
    ]);
  });

  it('is that it is another asset', () => {
    const euros = dollars(4, { ...inTime, uniqueAssetId: 'nsandbox_tEURX', currency: 'EURX' });

    expect(told(euros, ended())).toEqual([
      'other_asset',
      '4 EURX in block 19 of sandbox is not the requested asset: 10 USDX on sandbox, or 10 USDX on polygon. It does not count. It becomes a deposit of the account once it is final (it has 2 of 12 confirmations).',
    ]);
  });

  it('is that it is a deposit, once it is booked', () => {
    const booked = dollars(4, { ...inTime, ...FINAL, bookedAs: 'deposit', depositedAt: at('12:20:00') });

    expect(told(booked, ended())[1]).toMatch(/ It was recorded as a deposit at 2026-01-31 12:20:00 UTC\.$/);
  });

  it('is the reason in the ledger’s event, in every case', () => {
    const expiresAt = at('12:08:00');
    const offered = [DOLLARS, OTHER_DOLLARS];
    const selections = offered.map(({ network, uniqueAssetId, amount, address, countsUntil }) => {
      const inclusionGraceSeconds = (countsUntil.getTime() - expiresAt.getTime()) / 1_000;
      const selection = selectionOf(amount, { network, uniqueAssetId, inclusionGraceSeconds });
      return {
        ...selection,
        depositAddress: { ...selection.depositAddress, address: canonicalAddress(address) },
      };
    });
    const cases = [[DOLLARS], offered].flatMap((shown) =>
      shown.flatMap(({ network, address: to }) =>
        ['nsandbox_tUSDX', 'npolygon_tUSDX', 'nsandbox_tEURX'].flatMap((uniqueAssetId) =>
          ['12:09:00', '12:09:01', '12:12:00', '12:12:01'].map((time) => ({
            shown,
            network,
            to,
            uniqueAssetId,
            blockTime: at(time),
          })),
        ),
      ),
    );
    const everythingFinal = new Map(
      offered.map(({ network }) => [
        network,
        { headTime: expiresAt, final: { number: 100, time: expiresAt } },
      ]),
    );

    const differing = cases.filter(({ shown, ...given }) => {
      const transfer: RecordedTransfer = {
        ...recorded(1n, 1),
        ...given,
        to: canonicalAddress(given.to),
        counted: false,
        awaitsCrossCheck: false,
        depositedAt: null,
        depositId: null,
        reversedAt: null,
      };
      const progress = initialProgress('created', { ...someFacts(), createdAt: at('12:00:00') }, 480);
      const booked = newDeposits(
        { ...progress, transfers: [transfer], selections: selections.slice(0, shown.length) },
        everythingFinal,
      );
      const request = toExplain({ status: 'completed', offered: shown });
      const { code } = explainTransfer(request, dollars(4, { ...UNCOUNTED, ...given }));
      return booked.length !== 1 || code !== booked[0]!.reason;
    });

    expect(cases).toHaveLength(36);
    expect(differing).toEqual([]);
  });
});
