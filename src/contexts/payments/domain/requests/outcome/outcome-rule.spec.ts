import { describe, expect, it } from '@jest/globals';
import { NETWORK, OTHER_NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { NOW } from '#contexts/payments/testing/requests/payment-request-builder.js';
import {
  chosenRequest,
  crossChecked,
  LAST_BLOCK,
  openRequest,
  readOn,
  readTo,
  threeSelections,
  timeOf,
  transfer,
  transferTo,
} from '#contexts/payments/testing/requests/payment-request-builder.js';
import { PaymentRequest } from '../payment-request.js';
import { isEnded } from '../status.js';
import {
  compareByChainOrder,
  type IncomingTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

/** Returns how a request for 100 units ends; null while it is open. */
function decideOutcomeOf100(
  arrived: readonly IncomingTransfer[],
  head: number,
  final: number | null = head,
): object | null {
  const request = openRequest(100n);
  request.recordTransfers(arrived, NOW);
  request.evaluate(readTo(head, final), NOW);
  const { status, receivedAmount: received, transfers } = request.snapshot();
  if (!isEnded(status)) return null;
  if (received === 0n) return { status };
  const counted = new Set(transfers.filter((transfer) => transfer.counted).map(({ id }) => id));
  return { status, received, by: arrived.filter(({ id }) => counted.has(id)).sort(compareByChainOrder) };
}

describe('The outcome of a payment request', () => {
  it('waits while the payment is not final', () => {
    expect(decideOutcomeOf100([transfer(100n, 5)], 7, null)).toBeNull();
    expect(decideOutcomeOf100([transfer(100n, 5)], 7, 4)).toBeNull();
  });

  it('completes the request at the first final block that reaches the amount', () => {
    const paid = transfer(100n, 5);

    expect(decideOutcomeOf100([paid], 7, 5)).toEqual({ status: 'completed', received: 100n, by: [paid] });
  });

  it('adds up parts in chain order, in whatever order they are given', () => {
    const parts = [transfer(50n, 9), transfer(20n, 3), transfer(30n, 5)];

    expect(decideOutcomeOf100(parts, 9)).toEqual({
      status: 'completed',
      received: 100n,
      by: [parts[1], parts[2], parts[0]],
    });
  });

  it('waits while the final sum is below the amount', () => {
    expect(decideOutcomeOf100([transfer(50n, 3), transfer(50n, 5)], 9, 4)).toBeNull();
  });

  it('treats several transfers of one block as one step', () => {
    const block = [transfer(60n, 5, 0), transfer(40n, 5, 1), transfer(1n, 5, 2)];

    expect(decideOutcomeOf100(block, 5)).toEqual({ status: 'overpaid', received: 101n, by: block });
  });

  it('ignores a transfer in a later block that is final at the same time', () => {
    const [paid, excess] = [transfer(100n, 5), transfer(7n, 6)];

    expect(decideOutcomeOf100([paid, excess], 20)).toEqual({
      status: 'completed',
      received: 100n,
      by: [paid],
    });
  });

  it('is underpaid by a transfer that was sent in time and mined in the block past the deadline', () => {
    const late = { ...transfer(40n, LAST_BLOCK + 1), arrivedAt: timeOf(3) };

    expect(decideOutcomeOf100([late], LAST_BLOCK + 1)).toEqual({
      status: 'underpaid',
      received: 40n,
      by: [late],
    });
  });

  it('ends an unpaid request as underpaid or expired only after the final block is past the deadline', () => {
    const part = transfer(99n, 3);

    expect([decideOutcomeOf100([], LAST_BLOCK), decideOutcomeOf100([part], LAST_BLOCK)]).toEqual([
      null,
      null,
    ]);
    expect(decideOutcomeOf100([part], LAST_BLOCK + 50, LAST_BLOCK)).toBeNull();
    expect(decideOutcomeOf100([part], LAST_BLOCK + 1)).toEqual({
      status: 'underpaid',
      received: 99n,
      by: [part],
    });
    expect(decideOutcomeOf100([], LAST_BLOCK + 1)).toEqual({ status: 'expired' });
  });

  it('waits for the cross-check of a transfer in or before the block that reaches the amount', () => {
    const awaits = (amount: bigint, block: number, index = 0) => ({
      ...transfer(amount, block, index),
      awaitsCrossCheck: true,
    });

    expect(decideOutcomeOf100([awaits(100n, 5)], 9)).toBeNull();
    expect(decideOutcomeOf100([awaits(1n, 3), transfer(100n, 5)], 9)).toBeNull();
    expect(decideOutcomeOf100([transfer(100n, 5), awaits(1n, 5, 1)], 9)).toBeNull();
  });

  it.each([
    ['does not wait for', 'below the minimum', 4n, 'completed'],
    ['waits for', 'that is a payment', 5n, 'processing'],
  ])('%s an unspendable output %s', (_does, _what, amount, status) => {
    const request = openRequest(100n, undefined, 5n);
    const coinbase = { ...transfer(amount, 3), extraConfirmations: 99, spendableAfter: 100 };
    request.recordTransfers([coinbase, transfer(100n, 5)], NOW);

    request.evaluate(readTo(9), NOW);

    expect(request.snapshot().status).toBe(status);
  });

  it.each([
    [4, 'processing'],
    [5, 'completed'],
  ])(
    'waits for the tag that the transfer in block 5 requires, with block %i as the safe one',
    (safe, status) => {
      const request = openRequest(100n, undefined, 5n);
      request.recordTransfers([{ ...transfer(100n, 5), requiredTag: 'safe' }], NOW);
      const final = { ...readTo(9).get(NETWORK)!.final!, safe };

      request.evaluate(new Map([[NETWORK, { headTime: NOW, final }]]), NOW);

      expect(request.snapshot().status).toBe(status);
    },
  );

  it('counts parts below the minimum that need the confirmations of the full amount', () => {
    const request = openRequest(8n, undefined, 5n);
    const part = (block: number) => ({ ...transfer(4n, block), extraConfirmations: 2 });
    request.recordTransfers([part(3), part(4)], NOW);

    request.evaluate(readTo(6), NOW);

    expect(request.snapshot().status).toBe('completed');
  });

  it('waits for a stored transfer of an earlier block that is not final, but not on another network', () => {
    const [dollars, , others] = threeSelections([100n, 80n, 60n]);
    const open = chosenRequest(others, dollars);
    open.recordTransfers([transfer(100n, 5), { ...transferTo(others, 6n, 1), awaitsCrossCheck: true }], NOW);
    const statusWith = (lowestNonFinalBlocks: Map<string, number>) => {
      const request = PaymentRequest.restore({ ...open.snapshot(), lowestNonFinalBlocks });
      request.evaluate(readOn({ [NETWORK]: 9, [OTHER_NETWORK]: 9 }), NOW);
      return request.snapshot().status;
    };

    expect(statusWith(new Map([[OTHER_NETWORK, 4]]))).toBe('completed');
    expect(statusWith(new Map([[NETWORK, 4]]))).toBe('processing');
  });

  it('does not wait for the cross-check of a transfer in a later block', () => {
    const paid = transfer(100n, 5);

    expect(decideOutcomeOf100([paid, { ...transfer(900n, 6), awaitsCrossCheck: true }], 9)).toEqual({
      status: 'completed',
      received: 100n,
      by: [paid],
    });
  });

  it('waits past the deadline for a part that was found late and is not final', () => {
    const [first, foundLate] = [
      transfer(60n, 3),
      { ...transfer(40n, LAST_BLOCK + 9), blockTime: timeOf(LAST_BLOCK) },
    ];
    const decided = (...counted: IncomingTransfer[]) =>
      decideOutcomeOf100(counted, LAST_BLOCK + 50, LAST_BLOCK + 8);

    expect(decided(first, foundLate)).toBeNull();
    expect(decided(foundLate)).toBeNull();
    expect(decided(first)).toMatchObject({ status: 'underpaid' });
    expect(decideOutcomeOf100([first, foundLate], LAST_BLOCK + 50, LAST_BLOCK + 9)).toMatchObject({
      status: 'completed',
      by: [first, foundLate],
    });
  });

  it('waits past the deadline for a cross-check and is decided by it', () => {
    let request = openRequest(100n);
    const large = transfer(100n, 3);
    request.recordTransfers([{ ...large, awaitsCrossCheck: true }], NOW);
    request.evaluate(readTo(LAST_BLOCK + 50), NOW);
    const waiting = request.snapshot();

    request = crossChecked(request, large.id);
    request.evaluate(readTo(LAST_BLOCK + 50), NOW);

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 100n]);
    expect(request.snapshot().status).toBe('completed');
  });
});
