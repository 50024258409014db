import { describe, expect, it } from '@jest/globals';
import { adjustmentBody, depositBody } from './transfer-notification.js';

const TRANSFER = {
  paymentRequestId: 'request',
  externalReferenceId: 'order-1042',
  pointOfSaleId: 'till',
  accountId: 'account',
  network: 'polygon',
  uniqueAssetId: 'npolygon_t0xAbc',
  currency: 'USDC',
  decimals: 6,
  address: '0xTo',
  transactionHash: '0xhash',
};

describe('The body of a deposit', () => {
  it('names the request, the amount in whole units and why it is no payment', () => {
    expect(depositBody({ ...TRANSFER, amount: 5_000_001n, reason: 'late' })).toBe(
      '{"data":{"account_id":"account","address":"0xTo","amount":"5.000001","currency":"USDC",' +
        '"external_reference_id":"order-1042","network":"polygon","notification_type":"payment_request_deposit",' +
        '"payment_request_id":"request","point_of_sale_id":"till","reason":"late","transaction_hash":"0xhash",' +
        '"unique_asset_id":"npolygon_t0xAbc"}}',
    );
  });

  it('has no trace of what does not apply, and of no status', () => {
    const bare = { ...TRANSFER, externalReferenceId: undefined, transactionHash: undefined };

    const { data } = JSON.parse(depositBody({ ...bare, amount: 1n, reason: 'other_asset' })) as {
      data: object;
    };

    expect(Object.keys(data)).toEqual([
      ...[
        'account_id',
        'address',
        'amount',
        'currency',
        'network',
        'notification_type',
        'payment_request_id',
      ],
      ...['point_of_sale_id', 'reason', 'unique_asset_id'],
    ]);
  });
});

describe('The body of a reversal', () => {
  it('is a minus, what it is taken from and what remains of that', () => {
    const reversal = { before: 10_000_000n, after: 500_000n, reverses: 'payment_in' };

    expect(adjustmentBody({ ...TRANSFER, ...reversal })).toBe(
      '{"data":{"account_id":"account","address":"0xTo","amount":"-9.5","currency":"USDC",' +
        '"external_reference_id":"order-1042","network":"polygon","notification_type":"payment_request_adjustment",' +
        '"payment_request_id":"request","point_of_sale_id":"till","remaining_amount":"0.5","reverses":"payment_in",' +
        '"transaction_hash":"0xhash","unique_asset_id":"npolygon_t0xAbc"}}',
    );
  });
});
