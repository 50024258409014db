import { describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO, GRACE_SECONDS, NETWORK } from '../../testing/requests/collecting-world.js';
import {
  CREATED,
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
import { NO_UNREVERSED_DEPOSITS } from './booking/reversal-rule.js';
import { PaymentRequest } from './payment-request.js';
import type { RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

const now = timeOf(200);
const past = LAST_BLOCK + 1;

describe('A payment request', () => {
  it('starts as created, with its window and one event', () => {
    const request = openRequest(100n, 'order-1042');

    const { status, expiresAt, countsUntil, history } = request.snapshot();
    const events = request.pullEvents();
    expect([status, expiresAt, countsUntil]).toEqual(['created', timeOf(48), timeOf(54)]);
    expect(history).toEqual([{ status: 'created', at: CREATED }]);
    const { id: aggregateId, organizationId, accountId, pointOfSaleId } = request.facts;
    const { address, settlementTermsId } = request.selected!.depositAddress;
    const asked = {
      ...{
        network: NETWORK,
        uniqueAssetId: DOLLAR.uniqueAssetId,
        currency: 'USDX',
        decimals: 6,
        amount: '100',
      },
      ...{ inclusionGraceSeconds: GRACE_SECONDS, to: address, settlementTermsId },
    };
    const opened = { expiresAt: expiresAt.toISOString(), asked };
    const data = {
      status: 'created',
      paymentRequestType: 'fixed',
      pointOfSaleId,
      referenceId: 'order-1042',
      opened,
    };
    const type = 'payment_request.status_changed';
    expect(events).toEqual([{ type, aggregateId, organizationId, accountId, occurredAt: CREATED, data }]);
    expect(request.pullEvents()).toEqual([]);
  });

  it('appends its outcome together with the ledger event', () => {
    const request = openRequest(100n, 'order-1042');
    request.recordTransfers([transfer(60n, 3, 1)], now);
    request.recordTransfers([transfer(41n, 4, 9)], now);
    request.pullEvents();

    request.evaluate(readTo(4), now);

    const { status, confirmedAt, history } = request.snapshot();
    const [change, step, ...more] = request.pullEvents();
    expect([status, confirmedAt, more]).toEqual(['overpaid', now, []]);
    expect(history.map((entry) => entry.status)).toEqual(['created', 'processing', 'overpaid', 'confirmed']);
    expect(change!.data).toMatchObject({ status: 'overpaid', referenceId: 'order-1042' });
    const { type, aggregateId, occurredAt, data } = step!;
    expect([type, aggregateId, occurredAt]).toEqual(['payment_request.confirmed', request.id, now]);
    expect(data).toEqual({
      ...{ network: NETWORK, uniqueAssetId: DOLLAR.uniqueAssetId, currency: 'USDX', decimals: 6 },
      ...{ expectedAmount: '100', receivedAmount: '101', feeBasisPoints: 100, referenceId: 'order-1042' },
      ...{ to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead', from: '0xfrom-4-9', transactionHash: '0x4-9' },
      paidAt: request.snapshot().transfers.at(-1)!.blockTime.toISOString(),
    });
  });

  it('states in the ledger event that the money was delivered directly', () => {
    const { depositAddress } = selectionOf(100n);
    const own = { ...depositAddress, tag: '7', isDelivered: true as const };
    const selection = selectionOf(100n, { depositAddress: own });
    const request = PaymentRequest.open(someFacts(), selection, WINDOW_SECONDS);
    const arrived = [transfer(100n, 3), transfer(5n, 4)].map((each) => ({ ...each, toTag: '7' }));
    request.recordTransfers(arrived, now);
    const [opened] = request.pullEvents();

    request.evaluate(readTo(4), now);

    const [, confirmed, deposit] = request.pullEvents();
    expect(opened!.data).toMatchObject({ opened: { asked: { tag: '7' } } });
    expect(confirmed!.data).toMatchObject({ receivedAmount: '100', delivered: true });
    expect(deposit!.data).toMatchObject({ amount: '5', delivered: true });
  });

  it('names the last transfer of its outcome', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(5n, 6)], now);
    request.recordTransfers([transfer(100n, 4)], now);
    request.pullEvents();

    request.evaluate(readTo(10), now);

    expect(request.pullEvents()[1]!.data).toMatchObject({ receivedAmount: '100', transactionHash: '0x4-0' });
    expect(request.snapshot().transfers.map(({ counted }) => counted)).toEqual([false, true]);
  });

  it('has no transaction hash if none is known for its last transfer', () => {
    const request = openRequest(100n);
    const internal = { kind: 'balance', transactionHash: null, from: `0x${'0'.repeat(40)}` } as const;
    request.recordTransfers([transfer(60n, 3)], now);
    request.recordTransfers([{ ...transfer(40n, 3), ...internal }], now);
    request.pullEvents();

    request.evaluate(readTo(4), now);

    const { data } = request.pullEvents()[1]!;
    expect(data).toMatchObject({ receivedAmount: '100', from: internal.from });
    expect('transactionHash' in data).toBe(false);
  });

  it('omits the reference from its events if there is none', () => {
    const request = openRequest(100n);

    expect('referenceId' in request.pullEvents()[0]!.data).toBe(false);
  });

  it('counts a transfer in the last block of the grace', () => {
    const request = openRequest(100n);

    request.recordTransfers([transfer(100n, LAST_BLOCK)], now);

    expect(request.snapshot().receivedAmount).toBe(100n);
  });

  it('expires one block after the deadline by the read head if nothing was seen', () => {
    const request = openRequest(100n);

    request.evaluate(readTo(LAST_BLOCK, null), now);
    const at = request.snapshot().status;
    request.evaluate(readTo(past, null), now);

    expect([at, request.snapshot().status]).toEqual(['created', 'expired']);
    expect(() => request.expireNow(now)).not.toThrow();
    expect(newStatuses(request)).toEqual(['created', 'expired']);
  });
});

describe('The loss of transfers to a reorganization', () => {
  it('subtracts the transfers without an event', () => {
    const request = openRequest(100n);
    const [lost, kept] = [transfer(60n, 5), transfer(30n, 4)];
    request.recordTransfers([lost], now);
    request.recordTransfers([kept], now);
    request.pullEvents();

    const credited = request.removeLostTransfers([recorded(lost, true)], now);

    const { status, receivedAmount, transfers } = request.snapshot();
    expect([credited, status, receivedAmount, newStatuses(request)]).toEqual([[], 'processing', 30n, []]);
    expect(transfers.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('shows no intermediate sum if the transfers are in another block again', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(60n, 5)], now);
    request.pullEvents();
    const again = transfer(60n, 6);

    request.removeLostTransfers(request.snapshot().transfers, now, NO_UNREVERSED_DEPOSITS, [again]);

    const { receivedAmount, transfers } = request.snapshot();
    expect([receivedAmount, transfers, request.pullEvents()]).toEqual([60n, [recorded(again, true)], []]);
  });

  it('subtracts nothing for a transfer that never counted', () => {
    const request = openRequest(100n);
    const wrong = transfer(60n, 5, 0, EURO.uniqueAssetId);
    request.recordTransfers([wrong], now);

    request.removeLostTransfers([recorded(wrong, false)], now);

    expect(request.snapshot().receivedAmount).toBe(0n);
  });
});

describe('Closing the window of a payment request', () => {
  it('moves the deadline to the current time, never before the creation, and keeps the grace period', () => {
    const request = openRequest(100n);

    request.closeWindow(timeOf(10));

    expect([request.snapshot().expiresAt, request.snapshot().countsUntil]).toEqual([timeOf(10), timeOf(16)]);
    const early = openRequest(100n);
    early.closeWindow(timeOf(-3));
    expect([early.snapshot().expiresAt, early.snapshot().countsUntil]).toEqual([CREATED, timeOf(6)]);
  });

  it('does not extend a window and does nothing after a payment was seen', () => {
    const [open, paid] = [openRequest(100n), openRequest(100n)];
    paid.recordTransfers([transfer(40n, 3)], now);

    open.closeWindow(timeOf(100));
    paid.closeWindow(timeOf(10));
    expect(() => paid.expireNow(timeOf(10))).toThrow('The payment request is processing.');

    expect([open, paid].map((request) => request.snapshot().expiresAt)).toEqual([timeOf(48), timeOf(48)]);
  });
});

function paidRequestWith(fields: Partial<RecordedTransfer>): PaymentRequest {
  const request = openRequest(100n);
  request.recordTransfers([{ ...transfer(100n, 3), ...fields }], now);
  request.evaluate(readTo(4), now);
  return request;
}

/** A request that ended while a transfer to it was not final yet. */
function requestEndedBeforeFinality(): PaymentRequest {
  const request = openRequest(100n);
  request.fail(now);
  request.recordTransfers([transfer(100n, 3)], now);
  return request;
}

describe('The failure of a payment request', () => {
  it.each([
    [40n, ['status_changed', 'received_changed']],
    [0n, ['status_changed']],
  ])('publishes that nothing counts any longer if anything did: %s', (amount, types) => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(amount, 3)], now);
    request.pullEvents();

    request.fail(now);

    expect(request.pullEvents().map(({ type }) => type)).toEqual(
      types.map((each) => `payment_request.${each}`),
    );
  });

  it('ends an open request so that nothing received counts any longer', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(40n, 3)], now);
    request.pullEvents();

    request.fail(now);

    const { status, receivedAmount, history, confirmedAt } = request.snapshot();
    expect([status, receivedAmount, confirmedAt, newStatuses(request)]).toEqual([
      'failed',
      0n,
      null,
      ['failed'],
    ]);
    expect(history.at(-1)).toEqual({ status: 'failed', at: now });
    expect(request.snapshot().transfers.map(({ counted }) => counted)).toEqual([false]);
  });
});

describe('The set of unsaved changes of a payment request', () => {
  it('contains only transfers and steps added since it was loaded', () => {
    const born = openRequest(100n);
    const [first, more] = [transfer(60n, 3), transfer(60n, 5)];
    born.recordTransfers([first], now);
    const request = PaymentRequest.restore({ ...born.snapshot(), version: 7 });

    request.recordTransfers([more], now);
    request.evaluate(readTo(past), now);

    const { transfers, history } = request.unsavedChanges();
    expect(transfers.map(({ id }) => id)).toEqual([more.id]);
    expect(history).toEqual([
      { step: 3, status: 'overpaid', at: now },
      { step: 4, status: 'confirmed', at: now },
    ]);
    expect(request.facts).toEqual(born.facts);
    expect(request.snapshot().version).toBe(7);
  });

  it('contains a transfer that no longer counts', () => {
    const born = openRequest(100n);
    const [enough, tooMuch] = [transfer(100n, 3), transfer(5n, 5)];
    born.recordTransfers([enough], now);
    born.recordTransfers([tooMuch], now);
    const request = PaymentRequest.restore(born.snapshot());

    request.evaluate(readTo(5, 4), now);

    expect(request.unsavedChanges().transfers).toEqual([recorded(tooMuch, false)]);
  });

  it.each<[string, PaymentRequest, (request: PaymentRequest) => unknown]>([
    ['became a deposit', requestEndedBeforeFinality(), (request) => request.evaluate(readTo(4), now)],
    [
      'was reversed',
      paidRequestWith({}),
      (request) => request.removeLostTransfers(request.snapshot().transfers, now),
    ],
  ])('contains a stored transfer that %s', (_what, born, act) => {
    const request = PaymentRequest.restore(born.snapshot());

    act(request);

    expect(request.unsavedChanges().transfers).toHaveLength(1);
    expect(request.unsavedChanges().transfers).toEqual(request.snapshot().transfers);
  });
});
