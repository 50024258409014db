import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import {
  LAST_OTHER_BLOCK,
  newStatuses,
  readOn,
  readTo,
  selectionOf,
  someFacts,
  threeSelections,
  timeOf,
  transfer,
  transferTo,
  WINDOW_SECONDS,
} from '../../testing/requests/payment-request-builder.js';
import { PaymentRequest } from './payment-request.js';
import type { Selection } from './selection.js';

const now = timeOf(200);
const past = LAST_OTHER_BLOCK + 1;
const underpaymentTolerance = { basisPoints: 100, atMost: '1' };
const facts = () => ({ ...someFacts(), underpaymentTolerance });

const openWithTolerance = (amount: bigint) =>
  PaymentRequest.open(facts(), selectionOf(amount), WINDOW_SECONDS);

function requestWithSelections(...selections: readonly Selection[]): PaymentRequest {
  const request = PaymentRequest.openWithoutAsset(facts(), WINDOW_SECONDS);
  for (const selection of selections) request.select(selection, timeOf(2));
  return request;
}

function stateOf(request: PaymentRequest) {
  const { status, receivedAmount, underpaymentAccepted } = request.snapshot();
  return [status, receivedAmount, underpaymentAccepted];
}

describe('The underpayment tolerance of a payment request', () => {
  it('is stored in the first event', () => {
    const [event] = openWithTolerance(10_000n).pullEvents();

    expect(event!.data).toMatchObject({ opened: { underpaymentTolerance } });
  });

  it('accepts a small shortfall when the request ends, and states it in the event', () => {
    const request = openWithTolerance(10_000n);
    request.recordTransfers([transfer(9_900n, 5)], now);
    request.evaluate(readTo(20), now);
    const waiting = stateOf(request);
    request.pullEvents();

    request.evaluate(readTo(past), now);

    expect([waiting, stateOf(request)]).toEqual([
      ['processing', 9_900n, false],
      ['underpaid', 9_900n, true],
    ]);
    const [ended, confirmed] = request.pullEvents();
    expect(ended!.data).toMatchObject({ status: 'underpaid', underpaymentAccepted: true });
    expect(confirmed!.data).toMatchObject({ expectedAmount: '10000', receivedAmount: '9900' });
  });

  it('does not accept a larger shortfall', () => {
    const request = openWithTolerance(10_000n);
    request.recordTransfers([transfer(9_899n, 5)], now);
    request.evaluate(readTo(past), now);

    expect(stateOf(request)).toEqual(['underpaid', 9_899n, false]);
    expect(JSON.stringify(request.pullEvents())).not.toContain('underpaymentAccepted');
  });

  it('is measured with amount and rate of the deciding selection', () => {
    const rate = { price: '0.5', sources: ['kraken'], at: timeOf(1) };
    const [dollars, , other] = threeSelections([3_000_000_000n, 1n, 6_000_000_000n]);
    const inOther = { ...other, rate };
    const accepted = (missing: bigint) => {
      const request = requestWithSelections(dollars, inOther);
      request.recordTransfers(
        [transferTo(inOther, inOther.amount - missing, 5), transferTo(dollars, 5n, 6)],
        now,
      );
      request.evaluate(readOn({ [NETWORK]: past, [OTHER_NETWORK]: past }), now);
      return stateOf(request)[2];
    };

    // Two units at half a dollar are worth the bound of one dollar, and far less than one percent of the amount.
    expect([accepted(2_000_000n), accepted(2_000_001n)]).toEqual([true, false]);
  });

  it('keeps its decision after the request has ended', () => {
    const request = openWithTolerance(10_000n);
    request.recordTransfers([transfer(9_950n, 5)], now);
    request.evaluate(readTo(past), now);
    const [counted] = request.snapshot().transfers;

    request.recordTransfers([transfer(50n, past + 1)], now);
    request.evaluate(readTo(past + 2), now);
    request.removeLostTransfers([counted!], now);

    expect(stateOf(request)).toEqual(['underpaid', 9_950n, true]);
    expect(newStatuses(request).filter((status) => status === 'underpaid')).toHaveLength(1);
  });
});
