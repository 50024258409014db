import { describe, expect, it } from '@jest/globals';
import {
  LAST_BLOCK,
  openRequest,
  readTo,
  recorded,
  timeOf,
  newStatuses,
  transfer,
} from '../../testing/requests/payment-request-builder.js';
import { PaymentRequest } from './payment-request.js';
import type { RecordedTransfer } from './transfer.js';

const now = timeOf(200);
const past = LAST_BLOCK + 1;

function paidWith(fields: Partial<RecordedTransfer>): PaymentRequest {
  const request = openRequest(100n);
  request.receive([{ ...transfer(100n, 3), ...fields }], now);
  request.judge(readTo(4), now);
  return request;
}

/** To which something was sent that is not final yet. */
function endedBefore(): PaymentRequest {
  const request = openRequest(100n);
  request.fail(now);
  request.receive([transfer(100n, 3)], now);
  return request;
}

describe('Failing a payment request', () => {
  it('ends an open one, and says so; nothing that was received counts any more', () => {
    const request = openRequest(100n);
    request.receive([transfer(40n, 3)], now);
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

  it('still takes off what is reorganised away after it', () => {
    const request = openRequest(100n);
    request.receive([transfer(40n, 3)], now);
    request.fail(now);

    expect(request.lose(request.snapshot().transfers, now)).toEqual([]);
    expect(request.snapshot().receivedAmount).toBe(0n);
  });
});

describe('What a repository has to store', () => {
  it('is what was added or changed since it was loaded, and no facts among the progress', () => {
    const born = openRequest(100n);
    const [first, more] = [transfer(60n, 3), transfer(60n, 5)];
    born.receive([first], now);
    const request = PaymentRequest.restore(born.snapshot());

    request.receive([more], now);
    request.judge(readTo(past), now);

    const { transfers, history } = request.unsaved();
    expect(transfers.map(({ id }) => id)).toEqual([more.id]);
    expect(history).toEqual([
      { step: 3, status: 'overpaid', at: now },
      { step: 4, status: 'confirmed', at: now },
    ]);
    expect(request.facts).toEqual(born.facts);
  });

  it('names a transfer of which it changed whether it counts', () => {
    const born = openRequest(100n);
    const [enough, tooMuch] = [transfer(100n, 3), transfer(5n, 5)];
    born.receive([enough], now);
    born.receive([tooMuch], now);
    const request = PaymentRequest.restore(born.snapshot());

    request.judge(readTo(5, 4), now);

    expect(request.unsaved().transfers).toEqual([recorded(tooMuch, false)]);
  });

  it.each<[string, PaymentRequest, (request: PaymentRequest) => unknown]>([
    ['became a deposit', endedBefore(), (request) => request.judge(readTo(4), now)],
    ['was reversed', paidWith({}), (request) => request.lose(request.snapshot().transfers, now)],
  ])('names a stored transfer that %s', (_what, born, act) => {
    const request = PaymentRequest.restore(born.snapshot());

    act(request);

    expect(request.unsaved().transfers).toHaveLength(1);
    expect(request.unsaved().transfers).toEqual(request.snapshot().transfers);
  });

  it('names nothing of what only stayed as it was', () => {
    const born = openRequest(100n);
    born.receive([transfer(40n, 3)], now);
    const request = PaymentRequest.restore(born.snapshot());

    request.judge(readTo(4), now);

    expect(request.unsaved().transfers).toEqual([]);
  });
});
