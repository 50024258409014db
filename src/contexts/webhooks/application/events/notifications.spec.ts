import { describe, expect, it } from '@jest/globals';
import type { AccountId } from '#shared/kernel/ids.js';
import { notificationBody } from './notifications.js';

const ABOUT = { aggregateId: 'request', accountId: 'account' as AccountId };
const TRANSFER = {
  transferId: 'transfer',
  referenceId: 'order-1042',
  pointOfSaleId: 'till',
  network: 'polygon',
  uniqueAssetId: 'npolygon_t0xAbc',
  currency: 'USDC',
  decimals: 6,
  feeBasisPoints: 100,
  from: '0xFrom',
  to: '0xTo',
  transactionHash: '0xhash',
};

describe('The body of a deposit', () => {
  it('names the request, the amount in whole units and why it is no payment', () => {
    const data = { ...TRANSFER, amount: '5000001', reason: 'late' as const };

    expect(notificationBody({ ...ABOUT, type: 'payment_request.deposit_received', data })).toBe(
      '{"data":{"account_id":"account","address":"0xTo","amount":"5.000001","currency":"USDC",' +
        '"external_reference_id":"order-1042","network":"polygon","notification_type":"payment_request_deposit",' +
        '"payment_request_id":"request","point_of_sale_id":"till","reason":"late","transaction_hash":"0xhash",' +
        '"unique_asset_id":"npolygon_t0xAbc"}}',
    );
  });

  it('has no trace of what does not apply, and of no status', () => {
    const bare = { ...TRANSFER, referenceId: undefined, transactionHash: undefined };
    const body = notificationBody({
      ...ABOUT,
      type: 'payment_request.deposit_received',
      data: { ...bare, amount: '1', reason: 'other_asset' },
    });

    const { data } = JSON.parse(body) as { data: object };

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
    const reversal = { before: '10000000', after: '500000', postedAs: 'payment_in' as const };
    const data = { ...TRANSFER, ...reversal };

    expect(notificationBody({ ...ABOUT, type: 'payment_request.credit_reversed', data })).toBe(
      '{"data":{"account_id":"account","address":"0xTo","amount":"-9.5","currency":"USDC",' +
        '"external_reference_id":"order-1042","network":"polygon","notification_type":"payment_request_adjustment",' +
        '"payment_request_id":"request","point_of_sale_id":"till","remaining_amount":"0.5","reverses":"payment_in",' +
        '"transaction_hash":"0xhash","unique_asset_id":"npolygon_t0xAbc"}}',
    );
  });
});
