import { describe, expect, it } from '@jest/globals';
import { booked, NOW, paidRequest } from '#contexts/payments/testing/requests/paid-request.js';
import {
  openRequest,
  readTo,
  timeOf,
  transfer,
} from '#contexts/payments/testing/requests/payment-request-builder.js';

describe('Losing what was posted', () => {
  it('reverses parts of an outcome in chain order, each from what the one before has left', () => {
    const request = openRequest(100n);
    for (const [amount, block] of [
      [30n, 3],
      [60n, 4],
      [20n, 5],
    ] as const)
      request.receive([transfer(amount, block)], NOW);
    request.judge(readTo(5), NOW);
    request.pullEvents();
    const [first, second, third] = request.snapshot().transfers;

    const reversed = request.lose([third!, second!], timeOf(150));
    request.lose([first!], timeOf(201));

    const { status, receivedAmount, reversedAmount, transfers } = request.snapshot();
    expect([status, receivedAmount, reversedAmount]).toEqual(['overpaid', 110n, 110n]);
    expect(reversed).toEqual([second, third].map((each) => ({ ...each, counted: false, reversedAt: NOW })));
    expect(transfers.map(({ counted, reversedAt }) => [counted, reversedAt])).toEqual([
      [false, NOW],
      [false, NOW],
      [false, timeOf(201)],
    ]);
    expect(
      booked(request).map((event) => 'before' in event && [event.postedAs, event.before, event.after]),
    ).toEqual([
      ['payment_in', '110', '50'],
      ['payment_in', '50', '30'],
      ['payment_in', '30', '0'],
    ]);
  });

  it('reverses a deposit to nothing, without touching what was received', () => {
    const request = paidRequest();
    request.receive([transfer(5n, 6)], NOW);
    request.judge(readTo(6), NOW);
    request.pullEvents();

    const reversed = request.lose([request.snapshot().transfers[1]!], timeOf(150));

    expect(reversed).toMatchObject([{ depositedAt: NOW, reversedAt: NOW }]);
    expect(booked(request)).toMatchObject([
      { postedAs: 'deposit', before: '5', after: '0', occurredAt: NOW },
    ]);
    expect(request.snapshot()).toMatchObject({ receivedAmount: 100n, reversedAmount: 0n });
  });

  it('reverses a deposit no earlier than it was booked, although clocks differ', () => {
    const request = paidRequest();
    request.receive([transfer(5n, 6)], NOW);
    request.judge(readTo(6), timeOf(300));

    const reversed = request.lose([request.snapshot().transfers[1]!], timeOf(250));

    expect(reversed).toMatchObject([{ depositedAt: timeOf(300), reversedAt: timeOf(300) }]);
  });

  it('names what is reversed alone, and forgets what was never posted', () => {
    const request = paidRequest();
    request.receive([transfer(1n, 9)], NOW);

    const reversed = request.lose(request.snapshot().transfers, NOW);

    expect(reversed.map(({ amount }) => amount)).toEqual([100n]);
    expect(request.snapshot().transfers).toEqual(reversed);
    expect(booked(request)).toHaveLength(1);
  });

  it('takes the same money as a deposit when it comes back', () => {
    const request = paidRequest();
    request.lose(request.snapshot().transfers, NOW);
    request.receive([transfer(100n, 5)], NOW);
    request.pullEvents();

    request.judge(readTo(5), NOW);

    expect(booked(request)).toMatchObject([{ amount: '100', reason: 'after_outcome' }]);
    expect(request.snapshot().status).toBe('completed');
  });

  it('never books what is reversed as a deposit', () => {
    const request = paidRequest();
    request.lose(request.snapshot().transfers, NOW);
    request.pullEvents();

    request.judge(readTo(50), NOW);

    expect(booked(request)).toEqual([]);
  });
});
