import { describe, expect, it } from '@jest/globals';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { LedgerTransactionId } from '#shared/kernel/ids.js';
import { receivedDeposit, USDC } from '../testing/movements.js';
import { toDepositTransaction } from './movement.js';

const ID = '0193b2f4-9a10-7b21-8c32-9d43ae54bf65' as LedgerTransactionId;

describe('The transaction of a deposit', () => {
  it('expects the amount received, and holds, owes and charges it like a payment', () => {
    const transaction = toDepositTransaction(ID, receivedDeposit({ amount: 999n, feeBasisPoints: 150 }));

    expect(transaction).toMatchObject({ grossAmount: 999n, netAmount: 985n, expectedAmount: 999n });
    expect(transaction.posting.entries.map(({ ledgerAccount, amount }) => [ledgerAccount, amount])).toEqual([
      ['custody', 999n],
      ['merchant_payable', -985n],
      ['service_fees', -14n],
    ]);
  });

  it('is a completed movement into a vault, tied to its payment request and its transfer', () => {
    const received = receivedDeposit({ from: '0xfrom', to: '0xto', referenceId: 'order-7' });

    expect(toDepositTransaction(ID, received)).toMatchObject({
      ...{ id: ID, type: 'deposit', status: 'completed', financialProvider: 'onchain' },
      from: { address: '0xfrom', type: 'wallet' },
      to: { address: '0xto', type: 'vault' },
      ...{ network: 'sandbox', uniqueAssetId: USDC, transactionHash: received.transactionHash },
      ...{ paymentRequestId: received.paymentRequestId, transferId: received.transferId },
      referenceId: 'order-7',
    });
  });

  it.each([0n, -1n, MAX_AMOUNT + 1n])('is rejected for an impossible amount: %d', (amount) => {
    expect(() => toDepositTransaction(ID, receivedDeposit({ amount }))).toThrow('cannot have been deposited');
  });

  it('accepts the largest amount of a transfer', () => {
    const { grossAmount } = toDepositTransaction(ID, receivedDeposit({ amount: MAX_AMOUNT }));

    expect(grossAmount).toBe(MAX_AMOUNT);
  });
});
