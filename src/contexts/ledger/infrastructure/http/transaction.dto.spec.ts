import { describe, expect, it } from '@jest/globals';
import { InputPipe } from '#shared/platform/http/validation/validation.js';
import type { TransactionView } from '../../application/transaction-view.js';
import { TRANSACTION_EXAMPLES } from './transaction-example.js';
import { presentTransaction, TransactionsQuery } from './transaction.dto.js';

const VIEW: TransactionView = {
  id: '0193b2f4-9a10-7b21-8c32-9d43ae54bf65',
  type: 'payment_in',
  status: 'completed',
  grossAmount: 25_000_000n,
  netAmount: 24_750_000n,
  expectedAmount: 25_000_000n,
  decimals: 6,
  currency: 'USDC',
  network: 'polygon',
  uniqueAssetId: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  accountExternalId: null,
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  fromType: 'wallet',
  to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  toType: 'vault',
  financialProvider: 'onchain',
  transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  paymentRequestId: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  referenceId: 'order-1042',
  settlementId: '0193b2f9-0d14-7e55-b1c3-8f7a6b5c4d3e',
  bookedFor: null,
  createdAt: new Date('2026-01-15T09:30:12.345Z'),
  updatedAt: new Date('2026-01-15T09:30:12.345Z'),
};

describe('The JSON of a transaction', () => {
  it('equals the example in the reference', () => {
    expect(JSON.parse(JSON.stringify(presentTransaction(VIEW)))).toEqual(
      TRANSACTION_EXAMPLES.find(({ type }) => type === 'payment_in'),
    );
  });

  it('has negative amounts for a reversal, and no transfer id', () => {
    const reversed = { ...VIEW, type: 'adjustment', transferId: 'its own' } as const;
    const amounts = { grossAmount: -25_000_001n, netAmount: -10n, expectedAmount: -25_000_001n };

    const shown = presentTransaction({ ...reversed, ...amounts });

    expect(shown).toMatchObject({
      ...{ type: 'adjustment', gross_amount: '-25.000001', net_amount: '-0.00001' },
      expected_amount: '-25.000001',
    });
    expect(shown).not.toHaveProperty('transfer_id');
  });

  it('omits fields that do not apply to it', () => {
    const bare = presentTransaction({
      ...VIEW,
      ...{ network: null, uniqueAssetId: null, transactionHash: null, paymentRequestId: null },
      ...{ referenceId: null, settlementId: null },
    });

    expect(Object.keys(JSON.parse(JSON.stringify(bare)) as object)).toEqual([
      'id',
      'type',
      'status',
      'gross_amount',
      'net_amount',
      'expected_amount',
      'currency',
      'from',
      'from_type',
      'to',
      'to_type',
      'financial_provider',
      'created_at',
      'updated_at',
    ]);
  });
});

describe('The query of the transaction list', () => {
  const read = (query: Record<string, string>) =>
    new InputPipe().transform(query, {
      type: 'query',
      metatype: TransactionsQuery,
    }) as Promise<TransactionsQuery>;

  it.each([
    [{ page_size: '5' }, 'page', 'required'],
    [{ page: '0', page_size: '5' }, 'page', 'integer'],
    [{ page: '1', page_size: '4' }, 'page_size', 'integer'],
    [{ page: '1', page_size: '101' }, 'page_size', 'integer'],
    [{ page: '1', page_size: '5', limit: '5' }, 'limit', 'unknown_field'],
  ])('is rejected if it is invalid: %j', async (query, field, rule) => {
    await expect(read(query)).rejects.toMatchObject({ kind: 'invalid', errors: [{ field, rule }] });
  });
});
