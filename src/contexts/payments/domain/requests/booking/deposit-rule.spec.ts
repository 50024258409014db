import { describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  EURO,
  NETWORK,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { booked, NOW, paidRequest } from '#contexts/payments/testing/requests/paid-request.js';
import {
  chosenRequest,
  crossChecked,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  openRequest,
  progressTo,
  readOn,
  readTo,
  threeSelections,
  timeOf,
  transfer,
  transferTo,
} from '#contexts/payments/testing/requests/payment-request-builder.js';
import type { PaymentRequest } from '../payment-request.js';
import type { Arrival } from '../transfer.js';

const past = LAST_BLOCK + 1;
const [dollars, , others] = threeSelections([100n, 80n, 60n]);

describe('Money beside what a request received', () => {
  it('is a deposit once its block is final, with all that a ledger needs to know', () => {
    const request = paidRequest('order-1042');
    const excess = transfer(5n, 6, 2);
    request.receive([excess], NOW);
    request.judge(readTo(9, 5), NOW);
    const early = booked(request);

    request.judge(readTo(9, 6), NOW);

    expect(early).toEqual([]);
    expect(booked(request)).toEqual([
      {
        transferId: excess.id,
        network: NETWORK,
        uniqueAssetId: DOLLAR.uniqueAssetId,
        currency: 'USDX',
        decimals: 6,
        feeBasisPoints: 100,
        pointOfSaleId: request.facts.pointOfSaleId,
        referenceId: 'order-1042',
        to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
        from: '0xfrom-6-2',
        transactionHash: '0x6-2',
        paidAt: excess.blockTime.toISOString(),
        amount: '5',
        reason: 'after_outcome',
        occurredAt: NOW,
      },
    ]);
    expect(request.snapshot().transfers[1]).toMatchObject({ counted: false, depositedAt: NOW });
  });

  it('is a deposit once only, and changes nothing of the outcome', () => {
    const request = paidRequest();
    request.receive([transfer(5n, 6)], NOW);

    for (const head of [6, 7, 8]) request.judge(readTo(head), NOW);

    expect(booked(request)).toHaveLength(1);
    expect([request.snapshot().status, request.snapshot().receivedAmount]).toEqual(['completed', 100n]);
  });

  it('waits for the end of its request, and becomes one with it', () => {
    const request = openRequest(100n);
    request.receive([transfer(70n, 3, 0, EURO.uniqueAssetId)], NOW);
    request.receive([transfer(100n, 5)], NOW);
    request.judge(readTo(4), NOW);
    const early = booked(request);

    request.judge(readTo(5), NOW);

    expect([early, booked(request).map(({ currency }) => currency)]).toEqual([[], ['EURX']]);
  });

  it('waits for agreement', () => {
    let request = paidRequest();
    const large = transfer(5_000n, 6);
    request.receive([{ ...large, awaitsCrossCheck: true }], NOW);
    request.judge(readTo(20), NOW);
    const early = booked(request);

    request = crossChecked(request, large.id);
    request.judge(readTo(20), NOW);

    expect([early, booked(request).length]).toEqual([[], 1]);
  });

  it('waits for a network that is not read, and for finality of its own network', () => {
    const request = chosenRequest(others, dollars);
    request.receive([transferTo(dollars, 100n, 3)], NOW);
    request.judge(readOn({ [NETWORK]: 4, [OTHER_NETWORK]: 4 }), NOW);
    request.receive([transferTo(others, 60n, 6)], NOW);
    request.pullEvents();

    request.judge(readOn({ [NETWORK]: 50 }), NOW);
    request.judge(readOn({ [NETWORK]: 50, [OTHER_NETWORK]: [50, 5] }), NOW);
    request.judge(new Map([[OTHER_NETWORK, progressTo(50, null)]]), NOW);
    const early = booked(request);
    request.judge(readOn({ [OTHER_NETWORK]: 6 }), NOW);

    expect(early).toEqual([]);
    expect(booked(request)).toMatchObject([{ amount: '60', feeBasisPoints: 250, reason: 'after_outcome' }]);
  });

  it.each<[string, string, (request: PaymentRequest) => void]>([
    ['an expired one', 'late', (request) => request.judge(readTo(past), NOW)],
    ['one that failed', 'late', (request) => request.fail(NOW)],
  ])('is a deposit of %s, too', (_what, reason, end) => {
    const request = openRequest(100n);
    end(request);
    request.receive([transfer(100n, past)], NOW);

    request.judge(readTo(past), NOW);

    expect(booked(request)).toMatchObject([{ amount: '100', reason }]);
    expect(request.snapshot().receivedAmount).toBe(0n);
  });

  it('is what had counted for a request that failed then', () => {
    const request = openRequest(100n);
    request.receive([transfer(40n, 3)], NOW);
    request.fail(NOW);

    request.judge(readTo(3), NOW);

    expect(booked(request)).toMatchObject([{ amount: '40', reason: 'after_outcome' }]);
  });

  it('is never dated before the outcome', () => {
    const request = paidRequest();
    request.receive([transfer(5n, 6)], NOW);

    request.judge(readTo(6), timeOf(150));

    expect(booked(request)[0]!.occurredAt).toEqual(NOW);
    expect(request.snapshot().transfers[1]!.depositedAt).toEqual(NOW);
  });
});

describe('The reason of a deposit', () => {
  const foreign = (selection: typeof dollars, block: number) => ({
    ...transferTo(selection, 1n, block),
    uniqueAssetId: 'foreign',
  });

  it.each<[string, Arrival, string]>([
    ['the last block of the grace', transferTo(dollars, 1n, LAST_BLOCK), 'after_outcome'],
    ['the block after it', transferTo(dollars, 1n, past), 'late'],
    ['a longer grace', transferTo(others, 1n, LAST_OTHER_BLOCK), 'after_outcome'],
    ['the block after that', transferTo(others, 1n, LAST_OTHER_BLOCK + 1), 'late'],
    ['another asset in time', foreign(dollars, LAST_BLOCK), 'other_asset'],
    ['another asset too late', foreign(dollars, past), 'late'],
    ['another asset within the longer grace of its network', foreign(others, past), 'other_asset'],
    [
      'an asset at the address of another',
      { ...transferTo(dollars, 1n, 5), uniqueAssetId: others.uniqueAssetId },
      'other_asset',
    ],
  ])('goes by deadline and grace of its own network: %s', (_what, arrived, reason) => {
    const request = chosenRequest(others, dollars);
    request.fail(timeOf(3));
    request.receive([arrived], NOW);

    request.judge(readOn({ [NETWORK]: 90, [OTHER_NETWORK]: 90 }), NOW);

    expect(booked(request)).toMatchObject([{ reason }]);
  });
});
