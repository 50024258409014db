import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  offeredRequest,
  readOn,
  readTo,
  recorded,
  stateOf,
  threeSelections,
  timeOf,
  newStatuses,
  transferTo,
} from '../../testing/requests/payment-request-builder.js';
import { PaymentRequest } from './payment-request.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';

const now = timeOf(2);
const later = timeOf(200);
const rate: Rate = { price: '1.25', sources: ['kraken'], at: timeOf(0) };
const [dollars, euros, others] = threeSelections([100n, 80n, 60n]);

describe('The selection of an asset', () => {
  it('moves a pending request to created and appends an event for both', () => {
    const request = offeredRequest('order-7');
    const born = request.snapshot();

    request.select(dollars, now);

    const { status, selected, selections, countsUntil, history } = request.snapshot();
    expect([born.status, born.selected, born.countsUntil]).toEqual(['pending', null, timeOf(48)]);
    expect([status, selected, selections, countsUntil]).toEqual([
      ...['created', dollars, [dollars], timeOf(LAST_BLOCK)],
    ]);
    expect(history.at(-1)).toEqual({ status: 'created', at: now });
    const { network, uniqueAssetId, depositAddress } = dollars;
    expect(request.pullEvents()).toMatchObject([
      { type: 'payment_request.status_changed', data: { status: 'pending' } },
      { type: 'payment_request.status_changed', data: { status: 'created', referenceId: 'order-7' } },
      {
        type: 'payment_request.asset_selected',
        data: { network, uniqueAssetId, amount: '100', to: depositAddress.address },
      },
    ]);
  });

  it('changes until a payment is seen and keeps all addresses watched for the longest grace', () => {
    const request = chosenRequest(dollars);

    request.select(others, now);

    const { status, selected, selections, countsUntil, history } = request.snapshot();
    expect([status, selected, selections]).toEqual(['created', others, [dollars, others]]);
    expect(countsUntil).toEqual(timeOf(LAST_OTHER_BLOCK));
    expect(history).toHaveLength(2);
    expect(request.pullEvents().map(({ type }) => type)).toEqual(['payment_request.asset_selected']);
    request.select(dollars, now);
    expect(request.snapshot().countsUntil).toEqual(timeOf(LAST_OTHER_BLOCK));
  });

  it('keeps rate and address of the first selection of an asset', () => {
    const request = chosenRequest({ ...dollars, rate }, euros);
    const better = {
      ...dollars,
      amount: 1n,
      depositAddress: { ...dollars.depositAddress, address: '0xOther' },
    };

    request.select(better, timeOf(9));

    const { selected, selections } = request.snapshot();
    expect(selected).toEqual({ ...dollars, rate });
    expect(selections).toEqual([{ ...dollars, rate }, euros]);
    expect(request.pullEvents()[0]!.data).toMatchObject({ amount: '100' });
  });

  it('does nothing if the asset is already selected', () => {
    const request = chosenRequest(dollars);

    request.select({ ...dollars, amount: 1n }, now);

    expect([request.selected, request.pullEvents(), request.unsavedChanges().history.length]).toEqual([
      dollars,
      [],
      2,
    ]);
  });

  it.each<[string, (request: PaymentRequest) => void, Date, RegExp]>([
    [
      'after a payment was seen',
      (r) => r.recordTransfers([transferTo(dollars, 1n, 3)], now),
      now,
      /payment has already been detected/,
    ],
    ['at the very end of the window by the clock', () => undefined, timeOf(48), /has ended/],
    ['after its window was closed', (r) => r.closeWindow(timeOf(2)), timeOf(3), /has ended/],
  ])('is rejected %s', (_when, happen, at, why) => {
    const request = chosenRequest(dollars);
    happen(request);
    const before = request.snapshot();
    request.pullEvents();

    expect(() => request.select(euros, at)).toThrow(
      expect.objectContaining({ code: 'state_conflict', message: expect.stringMatching(why) }),
    );
    expect([request.snapshot(), request.pullEvents()]).toEqual([before, []]);
  });

  it('is possible in the last millisecond of the window', () => {
    const request = offeredRequest();

    request.select(dollars, new Date(timeOf(48).getTime() - 1));

    expect(stateOf(request)).toEqual(['created', dollars.uniqueAssetId, 0n]);
  });

  it('is never recorded before the previous step, even if clocks differ', () => {
    const request = chosenRequest(dollars);

    request.recordTransfers([transferTo(dollars, 100n, 1)], timeOf(1));
    request.evaluate(readTo(1), timeOf(1));

    const { history, confirmedAt } = request.snapshot();
    expect(history.map(({ at }) => at)).toEqual([timeOf(0), now, now, now, now]);
    expect([confirmedAt, request.pullEvents().at(-1)!.occurredAt]).toEqual([now, now]);
  });
});

describe('A request without a selected asset', () => {
  it('expires by the clock after its window, not at its end', () => {
    const request = offeredRequest();

    request.evaluate(readOn({ [NETWORK]: 500, [OTHER_NETWORK]: 500 }), later);
    request.expireUnselected(timeOf(48));
    const atTheEnd = request.snapshot().status;
    request.expireUnselected(new Date(timeOf(48).getTime() + 1));

    expect([atTheEnd, request.snapshot().status]).toEqual(['pending', 'expired']);
    expect(newStatuses(request)).toEqual(['pending', 'expired']);
  });

  it('does not expire by the clock after an asset was selected', () => {
    const request = chosenRequest(dollars);

    request.expireUnselected(later);

    expect(request.snapshot().status).toBe('created');
  });

  it('expires without grace when the next request of its physical point of sale closes it', () => {
    const request = offeredRequest();

    request.closeWindow(timeOf(10));
    const { expiresAt, countsUntil } = request.snapshot();
    request.expireUnselected(timeOf(11));

    expect([expiresAt, countsUntil, request.snapshot().status]).toEqual([timeOf(10), timeOf(10), 'expired']);
  });

  it('stores only selections made since it was loaded', () => {
    const request = PaymentRequest.restore(chosenRequest(dollars).snapshot());

    request.select(others, now);
    request.select(dollars, now);

    expect(request.unsavedChanges().selections).toEqual([others]);
    expect(request.selected).toEqual(dollars);
  });
});

describe('A payment to the address of an earlier selection', () => {
  it('selects that asset and decides the request by its amount and terms', () => {
    const request = chosenRequest(others, dollars);

    request.recordTransfers([transferTo(others, 61n, 4)], now);
    const seen = stateOf(request);
    const events = request.pullEvents();
    request.evaluate(readOn({ [NETWORK]: 1, [OTHER_NETWORK]: 5 }), later);

    expect(seen).toEqual(['processing', others.uniqueAssetId, 61n]);
    const { uniqueAssetId, depositAddress } = others;
    const asked = { network: OTHER_NETWORK, uniqueAssetId };
    expect(events).toMatchObject([
      {
        type: 'payment_request.asset_selected',
        data: { ...asked, amount: '60', to: depositAddress.address },
      },
      { type: 'payment_request.status_changed', data: { status: 'processing' } },
    ]);
    expect(stateOf(request)).toEqual(['overpaid', uniqueAssetId, 61n]);
    expect(request.pullEvents()[1]!.data).toMatchObject({
      ...{ ...asked, expectedAmount: '60', receivedAmount: '61', feeBasisPoints: 250 },
      to: depositAddress.address.toLowerCase(),
    });
  });

  it('is matched by asset if two assets share an address', () => {
    const request = chosenRequest(dollars, euros);

    request.recordTransfers([transferTo(dollars, 100n, 4)], now);

    expect(dollars.depositAddress.address).toBe(euros.depositAddress.address);
    expect(stateOf(request)).toEqual(['processing', dollars.uniqueAssetId, 100n]);
  });

  it.each([
    ['in an asset that was never chosen', transferTo(euros, 80n, 4)],
    ['in an asset that was shown with another address', { ...transferTo(others, 60n, 4), to: '0xelsewhere' }],
    ['on another network', { ...transferTo(others, 60n, 4), network: NETWORK }],
    ['after its own network’s grace', transferTo(dollars, 100n, LAST_BLOCK + 1)],
  ])('does not count %s', (_what, arrived) => {
    const request = chosenRequest(dollars, others);

    request.recordTransfers([arrived], now);

    expect(stateOf(request)).toEqual(['created', others.uniqueAssetId, 0n]);
    expect(request.snapshot().transfers).toEqual([recorded(arrived, false)]);
    expect(newStatuses(request)).toEqual([]);
  });

  it.each([
    [
      'and reports it with a change',
      null,
      ['incoming_transfer_changed', 'received_changed'],
      ['received_changed'],
    ],
    ['and reports nothing of it below the minimum', '2026-03-01', [], []],
  ])('does not count in an asset that was never chosen %s', (_, gatheredOn, seen, lost) => {
    const request = chosenRequest(dollars, others);
    request.pullEvents();

    const other = { ...transferTo(euros, 80n, 4), gatheredOn };
    const newTypes = () => request.pullEvents().map(({ type }) => type.replace('payment_request.', ''));
    request.recordTransfers([other], now);

    expect(newTypes()).toEqual(seen);
    request.removeLostTransfers(request.snapshot().transfers, now);
    expect(newTypes()).toEqual(lost);
    request.fail(now);
    request.pullEvents();
    request.recordTransfers([other], now);
    expect(newTypes()).not.toContain('received_changed');
  });

  it('counts after a reorganization has removed all payments in another asset', () => {
    const request = chosenRequest(others, dollars);
    request.recordTransfers([transferTo(dollars, 100n, 3)], now);
    request.removeLostTransfers(request.snapshot().transfers, now);
    const emptied = stateOf(request);
    request.pullEvents();

    request.recordTransfers([transferTo(others, 60n, 4)], now);
    request.evaluate(readOn({ [NETWORK]: 4, [OTHER_NETWORK]: 4 }), now);

    expect(emptied).toEqual(['processing', dollars.uniqueAssetId, 0n]);
    expect(stateOf(request)).toEqual(['completed', others.uniqueAssetId, 60n]);
    expect(newStatuses(request)).toEqual(['completed', 'ledger step']);
  });

  it('reports each change of the received amount', () => {
    const request = chosenRequest(others);
    request.recordTransfers([transferTo(others, 10n, 3)], now);
    request.pullEvents();

    request.recordTransfers([transferTo(others, 20n, 4)], now);
    request.removeLostTransfers(request.snapshot().transfers.slice(1), now);

    expect(request.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.received_changed', { receivedAmount: '30' }],
      ['payment_request.received_changed', { receivedAmount: '10' }],
    ]);
  });
});

describe('A request with addresses on two networks', () => {
  const past = LAST_BLOCK + 1;
  const otherPast = LAST_OTHER_BLOCK + 1;

  it('expires once both networks are past the deadline and their own grace', () => {
    for (const selections of [
      [dollars, others],
      [others, dollars],
    ]) {
      const request = chosenRequest(...selections);
      const after = (sandbox: number, other: number) => {
        request.evaluate(readOn({ [NETWORK]: [sandbox, null], [OTHER_NETWORK]: [other, null] }), later);
        return request.snapshot().status;
      };

      expect(after(past, LAST_OTHER_BLOCK)).toBe('created');
      expect(after(LAST_BLOCK, otherPast)).toBe('created');
      expect(after(past, past)).toBe('created');
      expect(after(past, otherPast)).toBe('expired');
      expect(newStatuses(request)).toEqual(['expired']);
    }
  });

  it('does not wait for a network that is no longer read', () => {
    const request = chosenRequest(others, dollars);

    request.evaluate(readTo(past, null), later);

    expect(request.snapshot().status).toBe('expired');
    const paid = chosenRequest(others, dollars);
    paid.recordTransfers([transferTo(others, 10n, 3), transferTo(dollars, 50n, 3)], now);
    paid.evaluate(readTo(past), later);
    expect(paid.snapshot().status).toBe('underpaid');
  });

  it('waits while the network of the selected asset is not read', () => {
    const request = chosenRequest(others, dollars);

    request.evaluate(readOn({ [OTHER_NETWORK]: otherPast }), later);

    expect(request.snapshot().status).toBe('created');
  });

  it('waits for finality on both networks after all transfers disappeared', () => {
    const request = chosenRequest(others, dollars);
    request.recordTransfers([transferTo(others, 60n, 3)], now);
    request.removeLostTransfers(request.snapshot().transfers, now);
    request.recordTransfers([transferTo(dollars, 100n, 3)], now);
    request.removeLostTransfers(request.snapshot().transfers, now);
    const after = (final: number | null) => {
      request.evaluate(readOn({ [NETWORK]: past, [OTHER_NETWORK]: [otherPast, final] }), later);
      return request.snapshot().status;
    };

    expect([after(null), after(LAST_OTHER_BLOCK), after(otherPast)]).toEqual([
      'processing',
      'processing',
      'expired',
    ]);
  });
});

describe('Closing the window of a request with several addresses', () => {
  it('appends one event, and does nothing after a payment was seen', () => {
    const [closed, paying] = [chosenRequest(dollars, others), chosenRequest(dollars, others)];
    paying.recordTransfers([transferTo(others, 1n, 3)], now);
    paying.pullEvents();

    for (const request of [closed, closed, paying]) request.closeWindow(timeOf(10));

    expect(closed.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.window_closed', { expiresAt: timeOf(10).toISOString() }],
    ]);
    expect(paying.pullEvents()).toEqual([]);
  });

  it('keeps the grace of each network and waits for the longest', () => {
    const request = chosenRequest(dollars, others);

    request.closeWindow(timeOf(10));
    request.recordTransfers([transferTo(dollars, 100n, 17)], later);
    request.recordTransfers([transferTo(others, 60n, 34)], later);

    expect(request.snapshot().countsUntil).toEqual(timeOf(34));
    expect(request.snapshot().transfers.map(({ counted }) => counted)).toEqual([false, true]);
  });
});
