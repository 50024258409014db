import { describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO, GRACE_SECONDS, NETWORK } from '../../testing/requests/collecting-world.js';
import {
  BIRTH,
  LAST_BLOCK,
  openRequest,
  readTo,
  recorded,
  selectionOf,
  someFacts,
  timeOf,
  newStatuses,
  transfer,
  WINDOW_SECONDS,
} from '../../testing/requests/payment-request-builder.js';
import { NO_DEPOSITS } from './booking/reversal-rule.js';
import { PaymentRequest } from './payment-request.js';

const now = timeOf(200);
const past = LAST_BLOCK + 1;

describe('A payment request', () => {
  it('is born created, with its window, and says so', () => {
    const request = openRequest(100n, 'order-1042');

    const { status, expiresAt, countsUntil, history } = request.snapshot();
    const events = request.pullEvents();
    expect([status, expiresAt, countsUntil]).toEqual(['created', timeOf(48), timeOf(54)]);
    expect(history).toEqual([{ status: 'created', at: BIRTH }]);
    const { id, organizationId, accountId, pointOfSaleId } = request.facts;
    const { depositAddress } = request.selected!;
    expect(events).toEqual([
      {
        type: 'payment_request.status_changed',
        aggregateId: id,
        organizationId,
        accountId,
        occurredAt: BIRTH,
        data: {
          status: 'created',
          paymentRequestType: 'fixed',
          pointOfSaleId,
          referenceId: 'order-1042',
          opened: {
            expiresAt: expiresAt.toISOString(),
            asked: {
              network: NETWORK,
              uniqueAssetId: DOLLAR.uniqueAssetId,
              currency: 'USDX',
              decimals: 6,
              amount: '100',
              inclusionGraceSeconds: GRACE_SECONDS,
              to: depositAddress.address,
              settlementTermsId: depositAddress.settlementTermsId,
            },
          },
        },
      },
    ]);
    expect(request.pullEvents()).toEqual([]);
  });

  it('emits an event for its first transfer once, and for later ones not', () => {
    const request = openRequest(100n);

    request.receive([transfer(40n, 3)], now);
    request.receive([transfer(40n, 4)], now);

    expect(newStatuses(request)).toEqual(['created', 'processing']);
    expect(request.snapshot().receivedAmount).toBe(80n);
  });

  it('emits its outcome and takes the ledger step with it', () => {
    const request = openRequest(100n, 'order-1042');
    request.receive([transfer(60n, 3, 1)], now);
    request.receive([transfer(41n, 4, 9)], now);
    request.pullEvents();

    request.judge(readTo(4), now);

    const { status, confirmedAt, history } = request.snapshot();
    const [change, step, ...more] = request.pullEvents();
    expect([status, confirmedAt, more]).toEqual(['overpaid', now, []]);
    expect(history.map((entry) => entry.status)).toEqual(['created', 'processing', 'overpaid', 'confirmed']);
    expect(change!.data).toMatchObject({ status: 'overpaid', referenceId: 'order-1042' });
    expect([step!.type, step!.aggregateId, step!.occurredAt]).toEqual([
      'payment_request.confirmed',
      request.id,
      now,
    ]);
    expect(step!.data).toEqual({
      network: request.selected!.network,
      uniqueAssetId: request.selected!.uniqueAssetId,
      currency: 'USDX',
      decimals: 6,
      expectedAmount: '100',
      receivedAmount: '101',
      feeBasisPoints: 100,
      referenceId: 'order-1042',
      to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
      from: '0xfrom-4-9',
      transactionHash: '0x4-9',
      paidAt: request.snapshot().transfers.at(-1)!.blockTime.toISOString(),
    });
  });

  it('says in its ledger step where the money was the merchant’s at once', () => {
    const { depositAddress } = selectionOf(100n);
    const selection = selectionOf(100n, { depositAddress: { ...depositAddress, isDelivered: true } });
    const request = PaymentRequest.open(someFacts(), selection, WINDOW_SECONDS);
    request.receive([transfer(100n, 3)], now);
    request.pullEvents();

    request.judge(readTo(4), now);

    expect(request.pullEvents()[1]!.data).toMatchObject({ receivedAmount: '100', delivered: true });
  });

  it('names as the last transfer the last of what it was decided by', () => {
    const request = openRequest(100n);
    request.receive([transfer(5n, 6)], now);
    request.receive([transfer(100n, 4)], now);
    request.pullEvents();

    request.judge(readTo(10), now);

    expect(request.pullEvents()[1]!.data).toMatchObject({ receivedAmount: '100', transactionHash: '0x4-0' });
    expect(request.snapshot().transfers.map(({ counted }) => counted)).toEqual([false, true]);
  });

  it('names no transaction where none is known to have brought the last of it', () => {
    const request = openRequest(100n);
    const internal = { kind: 'balance', transactionHash: null, from: `0x${'0'.repeat(40)}` } as const;
    request.receive([transfer(60n, 3)], now);
    request.receive([{ ...transfer(40n, 3), ...internal }], now);
    request.pullEvents();

    request.judge(readTo(4), now);

    const { data } = request.pullEvents()[1]!;
    expect(data).toMatchObject({ receivedAmount: '100', from: internal.from });
    expect('transactionHash' in data).toBe(false);
  });

  it('leaves the reference out of its events where the merchant gave none', () => {
    const request = openRequest(100n);

    expect('referenceId' in request.pullEvents()[0]!.data).toBe(false);
  });

  it.each([
    ['another asset', transfer(100n, 3, 0, EURO.uniqueAssetId)],
    ['a block after the deadline and its grace', transfer(100n, past)],
  ])('records a transfer in %s without counting it', (_what, arrived) => {
    const request = openRequest(100n);
    request.pullEvents();

    request.receive([arrived], now);

    const { status, receivedAmount, transfers } = request.snapshot();
    expect([status, receivedAmount, transfers]).toEqual(['created', 0n, [recorded(arrived, false)]]);
    expect(newStatuses(request)).toEqual([]);
  });

  it('counts a transfer in the last block of the grace', () => {
    const request = openRequest(100n);

    request.receive([transfer(100n, LAST_BLOCK)], now);

    expect(request.snapshot().receivedAmount).toBe(100n);
  });

  it('expires by the read head alone when nothing was ever seen, one block after the deadline', () => {
    const request = openRequest(100n);

    request.judge(readTo(LAST_BLOCK, null), now);
    const at = request.snapshot().status;
    request.judge(readTo(past, null), now);

    expect([at, request.snapshot().status]).toEqual(['created', 'expired']);
    expect(newStatuses(request)).toEqual(['created', 'expired']);
  });

  it('does not expire by the read head when something was seen', () => {
    const request = openRequest(100n);
    request.receive([transfer(40n, 3)], now);

    request.judge(readTo(past, 2), now);

    expect(request.snapshot().status).toBe('processing');
  });
});

describe('Losing transfers to a reorganisation', () => {
  it('un-counts them silently', () => {
    const request = openRequest(100n);
    const [lost, kept] = [transfer(60n, 5), transfer(30n, 4)];
    request.receive([lost], now);
    request.receive([kept], now);
    request.pullEvents();

    const credited = request.lose([recorded(lost, true)], now);

    const { status, receivedAmount, transfers } = request.snapshot();
    expect([credited, status, receivedAmount, newStatuses(request)]).toEqual([[], 'processing', 30n, []]);
    expect(transfers.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('shows no sum in between where they are in another block at once', () => {
    const request = openRequest(100n);
    request.receive([transfer(60n, 5)], now);
    request.pullEvents();
    const again = transfer(60n, 6);

    request.lose(request.snapshot().transfers, now, NO_DEPOSITS, [again]);

    const { receivedAmount, transfers } = request.snapshot();
    expect([receivedAmount, transfers, request.pullEvents()]).toEqual([60n, [recorded(again, true)], []]);
  });

  it('takes nothing off for one that never counted', () => {
    const request = openRequest(100n);
    const wrong = transfer(60n, 5, 0, EURO.uniqueAssetId);
    request.receive([wrong], now);

    request.lose([recorded(wrong, false)], now);

    expect(request.snapshot().receivedAmount).toBe(0n);
  });
});
