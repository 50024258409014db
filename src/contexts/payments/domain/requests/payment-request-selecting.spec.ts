import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  offeredRequest,
  readOn,
  readTo,
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

describe('Choosing an asset', () => {
  it('makes a pending request created, with an event for both', () => {
    const request = offeredRequest('order-7');
    const born = request.snapshot();

    request.select(dollars, now);

    const { status, selected, selections, countsUntil, history } = request.snapshot();
    expect([born.status, born.selected, born.countsUntil]).toEqual(['pending', null, timeOf(48)]);
    expect([status, selected, selections, countsUntil]).toEqual([
      'created',
      dollars,
      [dollars],
      timeOf(LAST_BLOCK),
    ]);
    expect(history.at(-1)).toEqual({ status: 'created', at: now });
    expect(request.pullEvents().map(({ type, data }) => [type, data])).toEqual([
      ['payment_request.status_changed', expect.objectContaining({ status: 'pending' })],
      [
        'payment_request.status_changed',
        expect.objectContaining({ status: 'created', referenceId: 'order-7' }),
      ],
      [
        'payment_request.asset_selected',
        expect.objectContaining({
          network: NETWORK,
          uniqueAssetId: dollars.uniqueAssetId,
          amount: '100',
          to: dollars.depositAddress.address,
        }),
      ],
    ]);
  });

  it('may change until a payment is seen, which keeps every address watched and waits for the longest grace', () => {
    const request = chosenRequest(dollars);

    request.select(others, now);

    const { status, selected, selections, countsUntil, history } = request.snapshot();
    expect([status, selected, selections]).toEqual(['created', others, [dollars, others]]);
    expect(countsUntil).toEqual(timeOf(LAST_OTHER_BLOCK));
    expect(history).toHaveLength(2);
    expect(request.pullEvents().map(({ type }) => type)).toEqual(['payment_request.asset_selected']);
  });

  it('takes the same asset at the rate and the address of the first time', () => {
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

  it('says nothing where it is the one selected already', () => {
    const request = chosenRequest(dollars);

    request.select({ ...dollars, amount: 1n }, now);

    expect([request.selected, request.pullEvents(), request.unsaved().history.length]).toEqual([
      dollars,
      [],
      2,
    ]);
  });

  it.each<[string, (request: PaymentRequest) => void, Date, RegExp]>([
    [
      'after a payment was seen',
      (r) => r.receive([transferTo(dollars, 1n, 3)], now),
      now,
      /payment has already been detected/,
    ],
    ['at the very end of the window by the clock', () => undefined, timeOf(48), /has ended/],
    ['after its window was closed', (r) => r.closeWindow(timeOf(2)), timeOf(3), /has ended/],
    ['when it has failed', (r) => r.fail(now), now, /has ended/],
    ['when it has expired', (r) => r.judge(readTo(LAST_BLOCK + 1), later), now, /has ended/],
    [
      'when it is completed',
      (r) => {
        r.receive([transferTo(dollars, 100n, 3)], now);
        r.judge(readTo(3), now);
      },
      now,
      /has ended/,
    ],
  ])('is refused %s', (_when, happen, at, why) => {
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

  it('is recorded no earlier than the step before, also by one who looked at the clock before waiting', () => {
    const request = chosenRequest(dollars);

    request.receive([transferTo(dollars, 100n, 1)], timeOf(1));
    request.judge(readTo(1), timeOf(1));

    const { history, confirmedAt } = request.snapshot();
    expect(history.map(({ at }) => at)).toEqual([timeOf(0), now, now, now, now]);
    expect([confirmedAt, request.pullEvents().at(-1)!.occurredAt]).toEqual([now, now]);
  });
});

describe('A request whose payer chooses nothing', () => {
  it('expires by the clock, after its window and not at its end', () => {
    const request = offeredRequest();

    request.judge(readOn({ [NETWORK]: 500, [OTHER_NETWORK]: 500 }), later);
    request.expireUnselected(timeOf(48));
    const atTheEnd = request.snapshot().status;
    request.expireUnselected(new Date(timeOf(48).getTime() + 1));

    expect([atTheEnd, request.snapshot().status]).toEqual(['pending', 'expired']);
    expect(newStatuses(request)).toEqual(['pending', 'expired']);
  });

  it('does not expire by the clock once an asset is chosen', () => {
    const request = chosenRequest(dollars);

    request.expireUnselected(later);

    expect(request.snapshot().status).toBe('created');
  });

  it('counts nothing, wherever it is sent', () => {
    const request = offeredRequest();

    request.receive([transferTo(dollars, 100n, 3)], now);

    expect(stateOf(request)).toEqual(['pending', undefined, 0n]);
  });

  it('is closed by the next one of its physical point of sale, and then expires without a grace', () => {
    const request = offeredRequest();

    request.closeWindow(timeOf(10));
    const { expiresAt, countsUntil } = request.snapshot();
    request.expireUnselected(timeOf(11));

    expect([expiresAt, countsUntil, request.snapshot().status]).toEqual([timeOf(10), timeOf(10), 'expired']);
  });
});

describe('What a repository has to store of choices', () => {
  it('is only what was chosen since it was loaded', () => {
    const request = PaymentRequest.restore(chosenRequest(dollars).snapshot());

    request.select(others, now);
    request.select(dollars, now);

    expect(request.unsaved().selections).toEqual([others]);
    expect(request.selected).toEqual(dollars);
  });
});
