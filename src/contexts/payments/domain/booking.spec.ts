import { describe, expect, it } from '@jest/globals';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestEvent,
} from '../contract/payment-request-events.js';
import { DOLLAR, EURO, NETWORK, OTHER_NETWORK } from '../testing/collecting-world.js';
import {
  chosenRequest,
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
} from '../testing/payment-request-builder.js';
import type { PaymentRequest } from './payment-request.js';
import type { Arrival } from './transfer.js';

const now = timeOf(200);
const past = LAST_BLOCK + 1;
const [dollars, , others] = threeSelections([100n, 80n, 60n]);

/** What its new events tell of the ledger's postings beside outcomes. */
function booked(request: PaymentRequest) {
  return request
    .pullEvents()
    .filter(isBooking)
    .map(({ data, occurredAt }) => ({ ...data, occurredAt }));
}

type Booking = PaymentRequestDepositReceived | PaymentRequestCreditReversed;
function isBooking(event: PaymentRequestEvent): event is Booking {
  return ['payment_request.deposit_received', 'payment_request.credit_reversed'].includes(event.type);
}

/** A request for 100 that was paid in block 3. */
function paidRequest(referenceId?: string): PaymentRequest {
  const request = openRequest(100n, referenceId);
  request.receive(transfer(100n, 3), now);
  request.follow(readTo(4), now);
  request.pullEvents();
  return request;
}

describe('Money beside what a request received', () => {
  it('is a deposit once its block is final, with all that a ledger needs to know', () => {
    const request = paidRequest('order-1042');
    const excess = transfer(5n, 6, 2);
    request.receive(excess, now);
    request.follow(readTo(9, 5), now);
    const early = booked(request);

    request.follow(readTo(9, 6), now);

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
        amount: '5',
        reason: 'after_outcome',
        occurredAt: now,
      },
    ]);
    expect(request.snapshot().transfers[1]).toMatchObject({ counted: false, depositedAt: now });
  });

  it('is a deposit once only, and changes nothing of the outcome', () => {
    const request = paidRequest();
    request.receive(transfer(5n, 6), now);

    for (const head of [6, 7, 8]) request.follow(readTo(head), now);

    expect(booked(request)).toHaveLength(1);
    expect([request.snapshot().status, request.snapshot().receivedAmount]).toEqual(['completed', 100n]);
  });

  it('waits for the end of its request, and becomes one with it', () => {
    const request = openRequest(100n);
    request.receive(transfer(70n, 3, 0, EURO.uniqueAssetId), now);
    request.receive(transfer(100n, 5), now);
    request.follow(readTo(4), now);
    const early = booked(request);

    request.follow(readTo(5), now);

    expect([early, booked(request).map(({ currency }) => currency)]).toEqual([[], ['EURX']]);
  });

  it('waits for agreement', () => {
    const request = paidRequest();
    const large = transfer(5_000n, 6);
    request.receive({ ...large, awaitsAgreement: true }, now);
    request.follow(readTo(20), now);
    const early = booked(request);

    request.agree(new Set([large.id]));
    request.follow(readTo(20), now);

    expect([early, booked(request).length]).toEqual([[], 1]);
  });

  it('waits for a network that is not read, and for finality of its own network', () => {
    const request = chosenRequest(others, dollars);
    request.receive(transferTo(dollars, 100n, 3), now);
    request.follow(readOn({ [NETWORK]: 4, [OTHER_NETWORK]: 4 }), now);
    request.receive(transferTo(others, 60n, 6), now);
    request.pullEvents();

    request.follow(readOn({ [NETWORK]: 50 }), now);
    request.follow(readOn({ [NETWORK]: 50, [OTHER_NETWORK]: [50, 5] }), now);
    request.follow(new Map([[OTHER_NETWORK, progressTo(50, null)]]), now);
    const early = booked(request);
    request.follow(readOn({ [OTHER_NETWORK]: 6 }), now);

    expect(early).toEqual([]);
    expect(booked(request)).toMatchObject([{ amount: '60', feeBasisPoints: 250, reason: 'after_outcome' }]);
  });

  it.each<[string, string, (request: PaymentRequest) => void]>([
    ['an expired one', 'late', (request) => request.follow(readTo(past), now)],
    ['one that failed', 'late', (request) => request.fail(now)],
  ])('is a deposit of %s, too', (_what, reason, end) => {
    const request = openRequest(100n);
    end(request);
    request.receive(transfer(100n, past), now);

    request.follow(readTo(past), now);

    expect(booked(request)).toMatchObject([{ amount: '100', reason }]);
    expect(request.snapshot().receivedAmount).toBe(0n);
  });

  it('is what had counted for a request that failed then', () => {
    const request = openRequest(100n);
    request.receive(transfer(40n, 3), now);
    request.fail(now);

    request.follow(readTo(3), now);

    expect(booked(request)).toMatchObject([{ amount: '40', reason: 'after_outcome' }]);
  });

  it('is never dated before the outcome', () => {
    const request = paidRequest();
    request.receive(transfer(5n, 6), now);

    request.follow(readTo(6), timeOf(150));

    expect(booked(request)[0]!.occurredAt).toEqual(now);
    expect(request.snapshot().transfers[1]!.depositedAt).toEqual(now);
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
    request.receive(arrived, now);

    request.follow(readOn({ [NETWORK]: 90, [OTHER_NETWORK]: 90 }), now);

    expect(booked(request)).toMatchObject([{ reason }]);
  });
});

describe('Losing what was posted', () => {
  it('reverses parts of an outcome in chain order, each from what the one before has left', () => {
    const request = openRequest(100n);
    for (const [amount, block] of [
      [30n, 3],
      [60n, 4],
      [20n, 5],
    ] as const)
      request.receive(transfer(amount, block), now);
    request.follow(readTo(5), now);
    request.pullEvents();
    const [first, second, third] = request.snapshot().transfers;

    const reversed = request.lose([third!, second!], timeOf(150));
    request.lose([first!], timeOf(201));

    const { status, receivedAmount, reversedAmount, transfers } = request.snapshot();
    expect([status, receivedAmount, reversedAmount]).toEqual(['overpaid', 110n, 110n]);
    expect(reversed).toEqual([second, third].map((each) => ({ ...each, counted: false, reversedAt: now })));
    expect(transfers.map(({ counted, reversedAt }) => [counted, reversedAt])).toEqual([
      [false, now],
      [false, now],
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
    request.receive(transfer(5n, 6), now);
    request.follow(readTo(6), now);
    request.pullEvents();

    const reversed = request.lose([request.snapshot().transfers[1]!], timeOf(150));

    expect(reversed).toMatchObject([{ depositedAt: now, reversedAt: now }]);
    expect(booked(request)).toMatchObject([
      { postedAs: 'deposit', before: '5', after: '0', occurredAt: now },
    ]);
    expect(request.snapshot()).toMatchObject({ receivedAmount: 100n, reversedAmount: 0n });
  });

  it('names what is reversed alone, and forgets what was never posted', () => {
    const request = paidRequest();
    request.receive(transfer(1n, 9), now);

    const reversed = request.lose(request.snapshot().transfers, now);

    expect(reversed.map(({ amount }) => amount)).toEqual([100n]);
    expect(request.snapshot().transfers).toEqual(reversed);
    expect(booked(request)).toHaveLength(1);
  });

  it('takes the same money as a deposit when it comes back', () => {
    const request = paidRequest();
    request.lose(request.snapshot().transfers, now);
    request.receive(transfer(100n, 5), now);
    request.pullEvents();

    request.follow(readTo(5), now);

    expect(booked(request)).toMatchObject([{ amount: '100', reason: 'after_outcome' }]);
    expect(request.snapshot().status).toBe('completed');
  });

  it('never books what is reversed as a deposit', () => {
    const request = paidRequest();
    request.lose(request.snapshot().transfers, now);
    request.pullEvents();

    request.follow(readTo(50), now);

    expect(booked(request)).toEqual([]);
  });
});

describe('A transfer that awaits agreement', () => {
  it('counts at once, and decides nothing before it is agreed on, however late that is', () => {
    const request = openRequest(100n);
    const large = transfer(100n, 3);
    request.receive({ ...large, awaitsAgreement: true }, now);
    request.follow(readTo(past + 50), now);
    const waiting = request.snapshot();

    request.agree(new Set([large.id]));
    request.follow(readTo(past + 50), now);

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 100n]);
    expect(request.snapshot().status).toBe('completed');
  });

  it('is not agreed on with another', () => {
    const request = openRequest(100n);
    request.receive({ ...transfer(100n, 3), awaitsAgreement: true }, now);

    request.agree(new Set([transfer(100n, 3).id]));
    request.follow(readTo(past), now);

    expect(request.snapshot().status).toBe('processing');
  });
});
