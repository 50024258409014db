import { address, ASSET, type ToldHistory, uuid } from './told-history.js';
import { ToldRequest } from './told-requests.js';
import type { Fields } from './told-checkouts.js';

export function record(told: ToldHistory, one: ToldRequest, number: number, changes: Fields = {}): Fields {
  return {
    id: uuid(number),
    type: 'payment_in',
    status: 'completed',
    gross_amount: '10',
    net_amount: '9.9',
    expected_amount: '10',
    currency: 'USDC',
    network: 'erc20',
    unique_asset_id: ASSET,
    from: address(7),
    from_type: 'wallet',
    to: one.address,
    to_type: 'vault',
    financial_provider: 'onchain',
    transaction_hash: told.hash(1),
    created_at: told.iso(),
    updated_at: told.iso(),
    payment_request_id: one.id,
    ...changes,
  };
}

export function list(told: ToldHistory, records: readonly Fields[], total = records.length): void {
  const data = { data: records, total, page: 1, page_size: 100, total_pages: Math.ceil(total / 100) };
  told.call('GET', '/v1/transactions', undefined, data, { query: { page: '1', page_size: '100' } });
}

export function paid(told: ToldHistory): ToldRequest {
  const one = new ToldRequest(told);
  one.pay('10000000');
  told.blocksOn(3);
  return one;
}
