import { describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  EURO,
  NETWORK,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import {
  booked,
  NOW,
  paidRequest,
  reportedTransfers,
} from '#contexts/payments/testing/requests/payment-request-builder.js';
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
import { newId } from '#shared/kernel/ids.js';
import { PaymentRequest } from '../payment-request.js';
import type { IncomingTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { findDepositReason } from './deposit-reason-rule.js';
import { aggregationDay } from '#contexts/chain-watching/contract/incoming-transfer.js';

const past = LAST_BLOCK + 1;
const [dollars, euros, others] = threeSelections([100n, 80n, 60n]);

describe('Money outside the outcome of a request', () => {
  it('becomes a deposit once its block is final, with all facts that the ledger needs', () => {
    const request = paidRequest('order-1042');
    const excess = transfer(5n, 6, 2);
    request.recordTransfers([excess], NOW);
    request.evaluate(readTo(9, 5), NOW);
    const early = booked(request);

    request.evaluate(readTo(9, 6), NOW);

    expect(early).toEqual([]);
    expect(booked(request)).toEqual([
      {
        ...{ transferId: excess.id, network: NETWORK, uniqueAssetId: DOLLAR.uniqueAssetId, currency: 'USDX' },
        ...{ decimals: 6, feeBasisPoints: 100, pointOfSaleId: request.facts.pointOfSaleId, amount: '5' },
        ...{
          referenceId: 'order-1042',
          to: '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
          from: '0xfrom-6-2',
        },
        ...{ transactionHash: '0x6-2', paidAt: excess.blockTime.toISOString() },
        ...{ reason: 'after_outcome', occurredAt: NOW },
      },
    ]);
    expect(request.snapshot().transfers[1]).toMatchObject({ counted: false, depositedAt: NOW });
  });

  it('becomes a deposit only once and does not change the outcome', () => {
    const request = paidRequest();
    request.recordTransfers([transfer(5n, 6)], NOW);

    for (const head of [6, 7, 8]) request.evaluate(readTo(head), NOW);

    expect(booked(request)).toHaveLength(1);
    expect([request.snapshot().status, request.snapshot().receivedAmount]).toEqual(['completed', 100n]);
  });

  it.each<[string, number, boolean]>([
    ['none', -1, false],
    ['one of its asset', 1, true],
    ['one of another asset', 2, true],
  ])('goes on counting while it is not loaded: %s', (_, unloaded, uncounting) => {
    const open = chosenRequest(others, dollars);
    const arrived = [transferTo(dollars, 100n, 3), transferTo(dollars, 5n, 6), transferTo(others, 10n, 6)];
    open.recordTransfers(arrived, NOW);
    const { transfers, ...stored } = open.snapshot();
    const loaded = transfers.filter((_each, n) => n !== unloaded);
    const request = PaymentRequest.restore({ ...stored, transfers: loaded });

    request.evaluate(readTo(6), NOW);

    expect(request.snapshot()).toMatchObject({ status: 'completed', uncounting });
  });

  it('is reported as processing, completed and reversed', () => {
    const request = paidRequest();
    const excess = transfer(5n, 6);
    request.recordTransfers([excess], NOW);
    const seen = reportedTransfers(request);
    request.evaluate(readTo(6), NOW);
    const final = reportedTransfers(request);
    request.removeLostTransfers(request.snapshot().transfers, NOW);

    expect([seen, final]).toEqual([[['processing', '5', excess.id]], [['completed', '5', excess.id]]]);
    expect(reportedTransfers(request)).toEqual([['reversed', '5', excess.id]]);
  });

  it('is not reported as processing while it counts, is pending, or is too small to be booked alone', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(100n, 3)], NOW);
    request.evaluate(readTo(3), NOW);
    const small = { ...transfer(1n, 6), gatheredOn: '2026-03-01' };
    request.recordTransfers([small, { ...transfer(5n, 6, 1), blockNumber: Infinity }], NOW);

    expect(reportedTransfers(request)).toEqual([]);
  });

  it('waits for the end of the request before it becomes a deposit', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(70n, 3, 0, EURO.uniqueAssetId)], NOW);
    request.recordTransfers([transfer(100n, 5)], NOW);
    request.evaluate(readTo(4), NOW);
    const early = booked(request);

    request.evaluate(readTo(5), NOW);

    expect([early, booked(request).map(({ currency }) => currency)]).toEqual([[], ['EURX']]);
  });

  it('waits for its cross-check before it becomes a deposit', () => {
    let request = paidRequest();
    const large = transfer(5_000n, 6);
    request.recordTransfers([{ ...large, awaitsCrossCheck: true }], NOW);
    request.evaluate(readTo(20), NOW);
    const early = booked(request);

    request = crossChecked(request, large.id);
    request.evaluate(readTo(20), NOW);

    expect([early, booked(request).length]).toEqual([[], 1]);
  });

  it('waits for its own network to be read and final', () => {
    const request = chosenRequest(others, dollars);
    request.recordTransfers([transferTo(dollars, 100n, 3)], NOW);
    request.evaluate(readOn({ [NETWORK]: 4, [OTHER_NETWORK]: 4 }), NOW);
    request.recordTransfers([transferTo(others, 60n, 6)], NOW);
    request.pullEvents();

    request.evaluate(readOn({ [NETWORK]: 50 }), NOW);
    request.evaluate(readOn({ [NETWORK]: 50, [OTHER_NETWORK]: [50, 5] }), NOW);
    request.evaluate(new Map([[OTHER_NETWORK, progressTo(50, null)]]), NOW);
    const early = booked(request);
    request.evaluate(readOn({ [OTHER_NETWORK]: 6 }), NOW);

    expect(early).toEqual([]);
    expect(booked(request)).toMatchObject([{ amount: '60', feeBasisPoints: 250, reason: 'after_outcome' }]);
  });

  it.each<[string, string, (request: PaymentRequest) => void]>([
    ['an expired one', 'late', (request) => request.evaluate(readTo(past), NOW)],
    ['one that failed', 'late', (request) => request.fail(NOW)],
  ])('becomes a deposit if its request has ended: %s', (_what, reason, end) => {
    const request = openRequest(100n);
    end(request);
    request.recordTransfers([transfer(100n, past)], NOW);

    request.evaluate(readTo(past), NOW);

    expect(booked(request)).toMatchObject([{ amount: '100', reason }]);
    expect(request.snapshot().receivedAmount).toBe(0n);
  });

  it('becomes a deposit if it had counted for a request that failed', () => {
    const request = openRequest(100n);
    request.recordTransfers([transfer(40n, 3)], NOW);
    request.fail(NOW);

    request.evaluate(readTo(3), NOW);

    expect(booked(request)).toMatchObject([{ amount: '40', reason: 'after_outcome' }]);
  });

  it('is never booked before the outcome', () => {
    const request = paidRequest();
    request.recordTransfers([transfer(5n, 6)], NOW);

    request.evaluate(readTo(6), timeOf(150));

    expect(booked(request)[0]!.occurredAt).toEqual(NOW);
    expect(request.snapshot().transfers[1]!.depositedAt).toEqual(NOW);
  });
});

describe('The reason of a deposit', () => {
  const foreign = (selection: typeof dollars, block: number) => ({
    ...transferTo(selection, 1n, block),
    uniqueAssetId: 'foreign',
  });

  it.each<[string, IncomingTransfer, string]>([
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
  ])('depends on deadline and grace of the network that received it: %s', (_what, arrived, reason) => {
    const request = chosenRequest(others, dollars);
    request.fail(timeOf(3));
    request.recordTransfers([arrived], NOW);

    request.evaluate(readOn({ [NETWORK]: 90, [OTHER_NETWORK]: 90 }), NOW);

    expect(booked(request)).toMatchObject([{ reason }]);
  });
});

const countsUntilSecond = (selection: typeof dollars, second: number) => ({
  ...selection,
  countsUntil: timeOf(second),
});

describe('The reason of a deposit at a selected address', () => {
  it('names the latest deadline for a late transfer', () => {
    const late = transferTo(dollars, 1n, LAST_BLOCK);
    const sameAddressTwice = [
      countsUntilSecond(dollars, 1),
      countsUntilSecond(dollars, 3),
      countsUntilSecond(dollars, 2),
    ];

    expect(findDepositReason(late, sameAddressTwice)).toEqual({ reason: 'late', countsUntil: timeOf(3) });
  });

  it('is another asset if nothing was requested on the network', () => {
    const late = transferTo(dollars, 1n, LAST_BLOCK);

    expect(findDepositReason(late, [countsUntilSecond(others, 1)])).toEqual({ reason: 'other_asset' });
    expect(findDepositReason(late, [])).toEqual({ reason: 'other_asset' });
  });

  it('is another asset if the transfer has another destination tag', () => {
    const tagged = { ...dollars, depositAddress: { ...dollars.depositAddress, tag: '7' } };
    const arrived = transferTo(dollars, 1n, 5);

    expect(findDepositReason({ ...arrived, toTag: '7' }, [countsUntilSecond(tagged, 1_000_000)])).toEqual({
      reason: 'after_outcome',
    });
    expect(findDepositReason({ ...arrived, toTag: '8' }, [countsUntilSecond(tagged, 1_000_000)])).toEqual({
      reason: 'other_asset',
    });
    expect(findDepositReason(arrived, [countsUntilSecond(tagged, 1_000_000)])).toEqual({
      reason: 'other_asset',
    });
  });
});

const TODAY = '2026-03-01';
const MIDNIGHT = new Date('2026-03-02T00:00:00.000Z');
const FAR_BLOCK = 1_000_000;

const dustTransfer = (amount: bigint, block: number, index = 0, gatheredOn = TODAY) => ({
  ...transfer(amount, block, index),
  gatheredOn,
});

/** Progress in which all blocks up to `number` are final and the last one has this timestamp. */
const progressFinalAt = (time: Date, number = FAR_BLOCK) =>
  new Map([[NETWORK, { headTime: time, final: { number, time, safe: number, finalized: number } }]]);

const depositAmounts = (request: PaymentRequest) =>
  booked(request).map((data) => ('amount' in data ? [data.amount, data.gathered] : []));

describe('The aggregation day of a transfer', () => {
  it.each<[string, bigint, string, string | null]>([
    ['below the minimum', DOLLAR.minimumAmount - 1n, '2026-03-01T23:59:59.999Z', '2026-03-01'],
    ['below it a moment later', DOLLAR.minimumAmount - 1n, '2026-03-02T00:00:00.000Z', '2026-03-02'],
    ['at the minimum', DOLLAR.minimumAmount, '2026-03-01T23:59:59.999Z', null],
  ])('is the UTC day of its block if the amount is below the minimum: %s', (_what, amount, time, day) => {
    expect(aggregationDay(amount, DOLLAR, new Date(time))).toBe(day);
  });
});

describe('The sum of transfers below the minimum outside the outcome', () => {
  it('becomes one deposit, named by the last transfer, once the whole day is final', () => {
    const request = paidRequest();
    const last = dustTransfer(3n, LAST_BLOCK + 5);
    request.recordTransfers([last, dustTransfer(2n, 6, 1), dustTransfer(1n, 6)], NOW);
    request.evaluate(progressFinalAt(new Date(MIDNIGHT.getTime() - 1)), NOW);
    const early = booked(request);

    request.evaluate(progressFinalAt(MIDNIGHT), NOW);

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

  it('becomes a deposit for each day, asset and address, separate from larger transfers', () => {
    const request = paidRequest();
    const other = { ...dustTransfer(4n, 9), uniqueAssetId: 'other' };
    request.recordTransfers(
      [
        dustTransfer(1n, 6),
        dustTransfer(2n, 7),
        transfer(5n, 8),
        other,
        dustTransfer(8n, 10, 0, '2026-03-02'),
        dustTransfer(16n, 11),
      ],
      NOW,
    );
    request.evaluate(progressFinalAt(MIDNIGHT), NOW);
    const first = depositAmounts(request);

    request.evaluate(progressFinalAt(new Date('2026-03-03T00:00:00.000Z')), NOW);

    expect(first).toEqual([
      ['19', { transfers: 3, on: TODAY }],
      ['5', undefined],
      ['4', { transfers: 1, on: TODAY }],
    ]);
    expect(depositAmounts(request)).toEqual([['8', { transfers: 1, on: '2026-03-02' }]]);
  });

  it.each([
    [{ address: '0xe' }, { to: '0xe' }],
    [{ tag: '7' }, { toTag: '7' }],
  ])('becomes a deposit for each address and tag: %j', (other, received) => {
    const elsewhere = { ...euros, depositAddress: { ...euros.depositAddress, ...other } };
    const request = chosenRequest(dollars, elsewhere);
    request.fail(NOW);
    const foreign = { ...dustTransfer(1n, 6), uniqueAssetId: 'foreign' };
    request.recordTransfers([foreign, { ...foreign, id: newId(), ...received }], NOW);

    request.evaluate(progressFinalAt(MIDNIGHT), NOW);

    expect(depositAmounts(request)).toHaveLength(2);
  });

  it('becomes a second deposit if transfers are found after their day was booked', () => {
    const request = paidRequest();
    request.recordTransfers([dustTransfer(1n, 6)], NOW);
    request.evaluate(progressFinalAt(MIDNIGHT), NOW);
    request.recordTransfers([dustTransfer(2n, 7), dustTransfer(3n, 8)], NOW);
    request.evaluate(progressFinalAt(MIDNIGHT), NOW);
    request.evaluate(progressFinalAt(MIDNIGHT), NOW);

    expect(depositAmounts(request)).toEqual([
      ['1', { transfers: 1, on: TODAY }],
      ['5', { transfers: 2, on: TODAY }],
    ]);
  });

  it('is reversed transfer by transfer, each from the rest of the deposit', () => {
    const request = paidRequest();
    request.recordTransfers([dustTransfer(1n, 6), dustTransfer(2n, 7), dustTransfer(4n, 8)], NOW);
    request.evaluate(progressFinalAt(MIDNIGHT), NOW);
    request.pullEvents();
    const [, first, second, third] = request.snapshot().transfers;
    const deposit = third!.id;

    expect(() => request.removeLostTransfers([third!], timeOf(201))).toThrow(
      `deposit ${deposit} is not known`,
    );
    request.removeLostTransfers([third!, first!], timeOf(201), new Map([[deposit, 7n]]));
    request.removeLostTransfers([second!], timeOf(202), new Map([[deposit, 2n]]));

    expect(booked(request)).toMatchObject([
      { transferId: first!.id, depositId: deposit, postedAs: 'deposit', before: '7', after: '6' },
      { transferId: deposit, depositId: deposit, postedAs: 'deposit', before: '6', after: '2' },
      { transferId: second!.id, depositId: deposit, postedAs: 'deposit', before: '2', after: '0' },
    ]);
    expect(request.snapshot()).toMatchObject({ receivedAmount: 100n, reversedAmount: 0n });
  });
});

describe('The reversal of a booked transfer', () => {
  it('reverses parts of an outcome in chain order, each from the remaining amount', () => {
    const request = openRequest(100n);
    for (const [amount, block] of [
      [30n, 3],
      [60n, 4],
      [20n, 5],
    ] as const)
      request.recordTransfers([transfer(amount, block)], NOW);
    request.evaluate(readTo(5), NOW);
    request.pullEvents();
    const [first, second, third] = request.snapshot().transfers;

    const reversed = request.removeLostTransfers([third!, second!], timeOf(150));
    request.removeLostTransfers([first!], timeOf(201));

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

  it('reverses a deposit to zero without changing the amount received', () => {
    const deposited = paidRequest();
    deposited.recordTransfers([transfer(5n, 6)], NOW);
    deposited.evaluate(readTo(6), NOW);
    const request = PaymentRequest.restore(deposited.snapshot());

    const reversed = request.removeLostTransfers([request.snapshot().transfers[1]!], timeOf(150));

    expect(reversed).toMatchObject([{ depositedAt: NOW, reversedAt: NOW }]);
    expect(request.unsavedChanges().transfers).toEqual(reversed);
    expect(booked(request)).toMatchObject([
      { postedAs: 'deposit', before: '5', after: '0', occurredAt: NOW },
    ]);
    expect(request.snapshot()).toMatchObject({ receivedAmount: 100n, reversedAmount: 0n });
  });

  it('is never dated before the deposit, even if clocks differ', () => {
    const request = paidRequest();
    request.recordTransfers([transfer(5n, 6)], NOW);
    request.evaluate(readTo(6), timeOf(300));

    const reversed = request.removeLostTransfers([request.snapshot().transfers[1]!], timeOf(250));

    expect(reversed).toMatchObject([{ depositedAt: timeOf(300), reversedAt: timeOf(300) }]);
  });

  it('returns only booked transfers and forgets the others', () => {
    const request = paidRequest();
    request.recordTransfers([transfer(1n, 9)], NOW);

    const reversed = request.removeLostTransfers(request.snapshot().transfers, NOW);

    expect(reversed.map(({ amount }) => amount)).toEqual([100n]);
    expect(request.snapshot().transfers).toEqual(reversed);
    expect(booked(request)).toHaveLength(1);
  });

  it('is followed by a new deposit when the same money is received again', () => {
    // The sums are stored only until the end of the request.
    const request = PaymentRequest.restore({ ...paidRequest().snapshot(), sums: [] });
    request.removeLostTransfers(request.snapshot().transfers, NOW);
    request.recordTransfers([transfer(100n, 5)], NOW);
    request.pullEvents();

    request.evaluate(readTo(5), NOW);

    expect(booked(request)).toMatchObject([{ amount: '100', reason: 'after_outcome' }]);
    expect(request.snapshot().status).toBe('completed');
  });

  it('does not book a reversed transfer as a deposit', () => {
    const request = paidRequest();
    request.removeLostTransfers(request.snapshot().transfers, NOW);
    request.pullEvents();

    request.evaluate(readTo(50), NOW);

    expect(booked(request)).toEqual([]);
  });
});
