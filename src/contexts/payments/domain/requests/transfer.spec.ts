import { describe, expect, it } from '@jest/globals';
import { transfer } from '#contexts/payments/testing/requests/payment-request-builder.js';
import { compareByChainOrder } from '#contexts/chain-watching/contract/incoming-transfer.js';

describe('The order of transfers in a chain', () => {
  it('follows block and index, with internal transfers last in their block', () => {
    const balance = { ...transfer(1n, 4, 0), kind: 'balance' as const };
    const ordered = [transfer(1n, 3, 9), transfer(1n, 4, 1), transfer(1n, 4, 2), balance, transfer(1n, 5)];

    expect(ordered.toReversed().sort(compareByChainOrder)).toEqual(ordered);
  });
});
