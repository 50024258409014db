import { describe, expect, it } from '@jest/globals';
import { newId, type PaymentRequestId, type LedgerTransactionId } from '#shared/kernel/ids.js';
import {
  type PublishedSourceEvent,
  toSourceEvent,
} from '../../infrastructure/subscribers/source-event-types.js';
import {
  anOwner,
  COIN,
  emptiedAddress,
  floatWithdrawalEvent,
  refundEvent,
  settlementEvent,
  topUpEvent,
} from '../../testing/source-events.js';
import { netAfterFee } from '../on-chain-movement.js';
import { SourceEventPoster } from './source-event-poster.js';
import { UnsettledFunds } from './unsettled-funds.js';

const OWNER = anOwner();
const PLACE = { paymentRequestId: newId<PaymentRequestId>(), address: '0xa' };

/** Books with these amounts at one deposit address, each with a fee of half the amount, rounded down. */
function opened(amounts: readonly bigint[] = [3n, 3n]) {
  const open = new UnsettledFunds();
  const uniqueAssetId = settlementEvent(OWNER, newId(), 'processing', []).data.uniqueAssetId;
  amounts.forEach((gross, number) =>
    open.add(
      { accountId: OWNER.accountId, uniqueAssetId },
      { ...PLACE, transactionId: newId(), gross, net: netAfterFee(gross, 5_000), number: BigInt(number) },
    ),
  );
  return new SourceEventPoster(new Map(), open, newId<LedgerTransactionId>);
}

function follow(books: SourceEventPoster, ...events: PublishedSourceEvent[]): void {
  for (const event of events) books.post(toSourceEvent({ ...event, id: newId<string>() })!);
}

/** Sums all journal lines by ledger account. Omits sums of zero. */
function sums(books: SourceEventPoster): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { posting } of [...books.transactions, ...books.later.lines])
    for (const { ledgerAccount, uniqueAssetId, amount } of posting?.entries ?? []) {
      const name = uniqueAssetId === COIN ? `${ledgerAccount} of coin` : ledgerAccount;
      found[name] = (found[name] ?? 0) + Number(amount);
    }
  return Object.fromEntries(Object.entries(found).filter(([, sum]) => sum !== 0));
}

const settlement = (gross: bigint, ...statuses: ('processing' | 'completed' | 'failed')[]) => {
  const [id, addresses] = [newId<string>(), [emptiedAddress(PLACE, gross, 5_000)]];
  return statuses.map((status) => settlementEvent(OWNER, id, status, addresses));
};

describe('A settlement in the books', () => {
  it('moves its gross amount from custody to in flight until its block is final', () => {
    const books = opened();
    follow(books, ...settlement(6n, 'processing'));

    expect(sums(books)).toEqual({ custody: -6, in_flight: 6 });
    expect(books.later.links).toHaveLength(2);
  });

  it('posts the difference between the fee of the total and the fees of its parts as rounding', () => {
    const books = opened();
    follow(books, ...settlement(6n, 'processing', 'completed'));

    // Each payment was charged a fee of 1, but the chain took a fee of 3 for both: the merchant received 3 and was owed
    // 4.
    expect(sums(books)).toEqual({ custody: -6, merchant_payable: 4, fees_delivered: 3, rounding: -1 });
  });

  it('writes off the fee if its recipient refused it', () => {
    const books = opened();
    const [id, refused] = [newId(), [{ ...emptiedAddress(PLACE, 6n, 5_000), toSettlement: '6', toFee: '0' }]];
    follow(
      books,
      ...(['processing', 'completed'] as const).map((each) => settlementEvent(OWNER, id, each, refused)),
    );

    expect(sums(books)).toEqual({ custody: -6, merchant_payable: 4, rounding: 2 });
  });

  it('charges the fee of the full payout while a part of it is not booked', () => {
    const books = opened([3n]);
    follow(books, ...settlement(6n, 'processing', 'completed'));

    expect(sums(books)).toEqual({ custody: -6, merchant_payable: 3, fees_delivered: 3 });
    expect(books.later.payouts).toMatchObject([{ gross: 6n, uncovered: 3n }]);
  });

  it.each([[['processing', 'failed'] as const], [['processing', 'completed', 'failed'] as const]])(
    'books nothing once it has failed, and the next settlement takes the money: %s',
    (statuses) => {
      const books = opened();
      follow(books, ...settlement(6n, ...statuses));
      expect(sums(books)).toEqual({});
      expect(books.later.failed).toHaveLength(1);
      expect(books.later.statuses.map(({ step }) => step)).toEqual(statuses.slice(1).map((_, n) => n + 2));

      follow(books, ...settlement(6n, 'processing', 'completed'));
      expect(sums(books)).toEqual({ custody: -6, merchant_payable: 4, fees_delivered: 3, rounding: -1 });
    },
  );

  it('ignores a repeated status and rejects an impossible one', () => {
    const books = opened();
    const [processing, completed] = settlement(6n, 'processing', 'completed');
    follow(books, processing!, processing!, completed!, completed!);

    expect(books.later.statuses).toHaveLength(1);
    expect(() => follow(books, processing!)).toThrow('cannot change from completed to processing');
  });

  it.each([
    ['nothing', '0', '0'],
    ['less than nothing for the merchant', '-1', '5'],
  ])('is rejected if it delivers %s', (_, toSettlement, toFee) => {
    const addresses = [{ ...emptiedAddress(PLACE, 6n), toSettlement, toFee }];

    expect(() => follow(opened(), settlementEvent(OWNER, newId(), 'processing', addresses))).toThrow(
      'cannot be a withdraw',
    );
  });

  it('is booked even if it only delivers fees', () => {
    const books = opened([]);
    follow(books, settlementEvent(OWNER, newId(), 'processing', [emptiedAddress(PLACE, 10n, 10_000)]));

    expect(books.transactions).toMatchObject([{ type: 'withdraw', grossAmount: 10n, netAmount: 0n }]);
  });
});

describe('A refund float in the books', () => {
  const gas = { uniqueAssetId: COIN, amount: '21' };
  const refund = (id: string, status: 'processing' | 'completed' | 'failed', facts = {}) =>
    refundEvent(OWNER, id, { paymentRequestId: newId(), amount: '7', status, ...facts });

  it('pays refunds and withdrawals with their gas, which a failed one costs too', () => {
    const books = opened([]);
    const [paid, failed, withdrawn] = [newId(), newId(), newId()];
    follow(
      books,
      ...[topUpEvent(OWNER, { amount: '50' }), topUpEvent(OWNER, { amount: '100', uniqueAssetId: COIN })],
      ...[refund(paid, 'processing'), refund(paid, 'completed', { gas, transactionHash: '0x1' })],
      ...[refund(failed, 'processing'), refund(failed, 'failed', { gas })],
      floatWithdrawalEvent(OWNER, withdrawn, { amount: '2' }),
      floatWithdrawalEvent(OWNER, withdrawn, { amount: '2', status: 'completed', gas }),
    );

    expect(books.later.statuses[0]).toMatchObject({ status: 'completed', transactionHash: '0x1' });
    expect(sums(books)).toEqual({
      ...{ refund_float: 41, merchant_payable: -41 },
      ...{ 'refund_float of coin': 37, 'merchant_payable of coin': -100, 'gas_spent of coin': 63 },
    });
  });

  it('books nothing for a refund that was cancelled before its approval', () => {
    const books = opened([]);
    follow(books, refund(newId(), 'failed'));

    expect(books.transactions).toEqual([]);
  });

  it('is not used by a refund from the wallet of the merchant', () => {
    const books = opened([]);
    const id = newId<string>();
    for (const status of ['processing', 'completed'] as const)
      follow(books, refund(id, status, { paidBy: 'merchant' }));

    expect(sums(books)).toEqual({ delivered: -7, merchant_payable: 7 });
    expect(books.transactions).toMatchObject([{ from: { type: 'settlement_address' } }]);
  });
});
