import { describe, expect, it } from '@jest/globals';
import { address, ASSET, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

type Tale = (told: ToldHistory) => void;
type Fields = Record<string, unknown>;

function record(told: ToldHistory, one: ToldRequest, number: number, changes: Fields = {}): Fields {
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

function list(told: ToldHistory, records: readonly Fields[], total = records.length): void {
  const data = { data: records, total, page: 1, page_size: 100, total_pages: Math.ceil(total / 100) };
  told.call('GET', '/v1/transactions', undefined, data, { query: { page: '1', page_size: '100' } });
}

function paid(told: ToldHistory): ToldRequest {
  const one = new ToldRequest(told);
  one.pay('10000000');
  told.blocksOn(3);
  return one;
}

function missing(told: ToldHistory): void {
  told.found.push(...told.model.missing());
}

const DEPOSIT = { type: 'deposit', gross_amount: '3', net_amount: '2.97', expected_amount: '3' };

const RIGHT: Record<string, Tale> = {
  'one payment_in, and a deposit for what came later': (told) => {
    const one = paid(told);
    list(told, [record(told, one, 500)]);
    const first = record(told, one, 500, {
      created_at: told.iso(told.now - 11),
      updated_at: told.iso(told.now - 11),
    });
    one.pay('3000000');
    list(told, [first]);
    told.blocksOn(3);
    told.rest();
    list(told, [record(told, one, 501, { ...DEPOSIT, transaction_hash: told.hash(2) }), first]);
    missing(told);
  },
  'underpaid, with the sum of its transfers': (told) => {
    const one = new ToldRequest(told);
    one.pay('1000000');
    one.pay('2000000');
    told.pass(600);
    told.blocksOn(4);
    told.rest();
    const sums = { gross_amount: '3', net_amount: '2.97', transaction_hash: told.hash(2) };
    list(told, [record(told, one, 500, sums)]);
    missing(told);
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'a payment_in before it is final': [
    'gross is what was received in final blocks',
    (told) => {
      const one = new ToldRequest(told);
      one.pay('10000000');
      told.blocksOn(2);
      list(told, [record(told, one, 500)]);
    },
  ],
  'two payment_in': [
    'one payment_in for each request',
    (told) => {
      const one = paid(told);
      list(told, [record(told, one, 501), record(told, one, 500)]);
    },
  ],
  'a fee of other terms': [
    'net is gross less the fee',
    (told) => list(told, [record(told, paid(told), 500, { net_amount: '10' })]),
  ],
  'a record that changes': [
    'a record of the ledger never changes',
    (told) => {
      const one = paid(told);
      const first = record(told, one, 500);
      list(told, [first]);
      list(told, [{ ...first, gross_amount: '11' }]);
    },
  ],
  'a record that vanishes': [
    'no record vanishes',
    (told) => {
      list(told, [record(told, paid(told), 500)]);
      list(told, []);
    },
  ],
  'a payment booked as a deposit too': [
    'deposits are what came and did not count',
    (told) => {
      const one = paid(told);
      const again = { type: 'deposit', transaction_hash: told.hash(1) };
      list(told, [record(told, one, 501, again), record(told, one, 500)]);
    },
  ],
  'no payment_in at rest': [
    'each confirmed request has its payment_in',
    (told) => {
      paid(told);
      told.rest();
      list(told, []);
      missing(told);
    },
  ],
  'late money that is lost': [
    'what came and did not count is a deposit',
    (told) => {
      const one = paid(told);
      one.pay('3000000');
      told.blocksOn(3);
      told.rest();
      list(told, [record(told, one, 500)]);
      missing(told);
    },
  ],
  'an adjustment for nothing': [
    'an adjustment reverses what was final and disappeared',
    (told) => {
      const one = paid(told);
      list(told, [record(told, one, 500, { type: 'adjustment', gross_amount: '-1' })]);
    },
  ],
  'a page too large': [
    'what must be refused is refused',
    (told) =>
      told.call(
        'GET',
        '/v1/transactions',
        undefined,
        { data: [], total: 0, page: 1, page_size: 101, total_pages: 0 },
        { query: { page: '1', page_size: '101' } },
      ),
  ],
};

describe('the ledger of the model', () => {
  it.each(Object.entries(RIGHT))('takes: %s', (_, tale) => {
    const told = new ToldHistory();
    tale(told);
    told.pass(300);
    expect(told.found).toEqual([]);
  });

  it.each(Object.entries(WRONG))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told);
    expect(told.wrong()).toContain(rule);
  });
});
