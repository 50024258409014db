import { describe, expect, it } from '@jest/globals';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { booked, NOW, paidRequest } from '#contexts/payments/testing/requests/paid-request.js';
import { LAST_BLOCK, timeOf, transfer } from '#contexts/payments/testing/requests/payment-request-builder.js';
import { gatheringDay } from './gathering-rule.js';
import type { PaymentRequest } from '../payment-request.js';

const TODAY = '2026-03-01';
const MIDNIGHT = new Date('2026-03-02T00:00:00.000Z');
const FAR = 1_000_000;

const dust = (amount: bigint, block: number, index = 0, gatheredOn = TODAY) => ({
  ...transfer(amount, block, index),
  gatheredOn,
});

/** All up to block `number` is final, and it has that time. */
const finalAt = (time: Date, number = FAR) =>
  new Map([[NETWORK, { headTime: time, final: { number, time } }]]);

const amounts = (request: PaymentRequest) =>
  booked(request).map((data) => ('amount' in data ? [data.amount, data.gathered] : []));

describe('The day with whose others a transfer becomes a deposit', () => {
  it.each<[string, bigint, string, string | null]>([
    ['below the minimum', DOLLAR.minimumAmount - 1n, '2026-03-01T23:59:59.999Z', '2026-03-01'],
    ['below it a moment later', DOLLAR.minimumAmount - 1n, '2026-03-02T00:00:00.000Z', '2026-03-02'],
    ['at the minimum', DOLLAR.minimumAmount, '2026-03-01T23:59:59.999Z', null],
  ])('is the UTC day of its block: %s', (_what, amount, time, day) => {
    expect(gatheringDay(amount, DOLLAR, new Date(time))).toBe(day);
  });
});

describe('Transfers below the minimum, beside what a request received', () => {
  it('are one deposit once all of their day is final, named by the last of them', () => {
    const request = paidRequest();
    const last = dust(3n, LAST_BLOCK + 5);
    request.receive([last, dust(2n, 6, 1), dust(1n, 6)], NOW);
    request.judge(finalAt(new Date(MIDNIGHT.getTime() - 1)), NOW);
    const early = booked(request);

    request.judge(finalAt(MIDNIGHT), NOW);

    expect(early).toEqual([]);
    expect(booked(request)).toMatchObject([
      {
        transferId: last.id,
        amount: '6',
        reason: 'late',
        gathered: { transfers: 3, on: TODAY },
        from: last.from,
        transactionHash: last.transactionHash,
        occurredAt: NOW,
      },
    ]);
    const [, ...gathered] = request.snapshot().transfers;
    expect(gathered.map(({ depositId, depositedAt }) => [depositId, depositedAt])).toEqual(
      Array(3).fill([last.id, NOW]),
    );
  });

  it('are a deposit for each day, asset and address, beside those that are deposits by themselves', () => {
    const request = paidRequest();
    const other = { ...dust(4n, 9), uniqueAssetId: 'other' };
    request.receive(
      [dust(1n, 6), dust(2n, 7), transfer(5n, 8), other, dust(8n, 10, 0, '2026-03-02'), dust(16n, 11)],
      NOW,
    );
    request.judge(finalAt(MIDNIGHT), NOW);
    const first = amounts(request);

    request.judge(finalAt(new Date('2026-03-03T00:00:00.000Z')), NOW);

    expect(first).toEqual([
      ['19', { transfers: 3, on: TODAY }],
      ['5', undefined],
      ['4', { transfers: 1, on: TODAY }],
    ]);
    expect(amounts(request)).toEqual([['8', { transfers: 1, on: '2026-03-02' }]]);
  });

  it('that are found after their day was gathered are a second deposit', () => {
    const request = paidRequest();
    request.receive([dust(1n, 6)], NOW);
    request.judge(finalAt(MIDNIGHT), NOW);
    request.receive([dust(2n, 7), dust(3n, 8)], NOW);
    request.judge(finalAt(MIDNIGHT), NOW);
    request.judge(finalAt(MIDNIGHT), NOW);

    expect(amounts(request)).toEqual([
      ['1', { transfers: 1, on: TODAY }],
      ['5', { transfers: 2, on: TODAY }],
    ]);
  });

  it('are reversed one by one, each from what the ones before have left of their deposit', () => {
    const request = paidRequest();
    request.receive([dust(1n, 6), dust(2n, 7), dust(4n, 8)], NOW);
    request.judge(finalAt(MIDNIGHT), NOW);
    request.pullEvents();
    const [, first, second, third] = request.snapshot().transfers;
    const deposit = third!.id;

    request.lose([third!, first!], timeOf(201), new Map([[deposit, 7n]]));
    request.lose([second!], timeOf(202), new Map([[deposit, 2n]]));

    expect(booked(request)).toMatchObject([
      { transferId: first!.id, depositId: deposit, postedAs: 'deposit', before: '7', after: '6' },
      { transferId: deposit, depositId: deposit, postedAs: 'deposit', before: '6', after: '2' },
      { transferId: second!.id, depositId: deposit, postedAs: 'deposit', before: '2', after: '0' },
    ]);
    expect(request.snapshot()).toMatchObject({ receivedAmount: 100n, reversedAmount: 0n });
  });
});
