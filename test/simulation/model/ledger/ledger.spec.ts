import { describe } from '@jest/globals';
import { PATH, PRICE, selected, session } from '../told-checkouts.js';
import { finds, takes, type Tale } from '../tales.js';
import { address, ASSET, POS, ToldHistory } from '../told-history.js';
import { list, paid, record } from '../told-records.js';
import { ToldRequest } from '../told-requests.js';

/** A request that was paid and booked, whose blocks are left after they were final. */
function reversed(told: ToldHistory): {
  readonly one: ToldRequest;
  readonly booked: Record<string, unknown>;
} {
  const one = paid(told);
  const booked = record(told, one, 500);
  list(told, [booked]);
  told.unwind(4);
  told.blocksOn(8);
  return { one, booked };
}

const REVERSAL = { type: 'adjustment', gross_amount: '-10', net_amount: '-9.9', expected_amount: '-10' };
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
    told.missing();
  },
  'a deposit of a checkout that is read only later': (told) => {
    told.answer('POST', `${PATH}/payment-request-checkout`, PRICE, 'lost');
    const { payment_options: _, ...made } = session(told);
    const one = { id: made.id, address: address(901) } as ToldRequest;
    const expired = { ...made, status: 'expired', unique_asset_id: ASSET, address: one.address };
    told.pass(600);
    told.block([{ to: one.address, amount: '3000000' }]);
    told.blocksOn(3);
    told.rest();
    const page = { data: [expired], total: 1, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `${PATH}/payment-request`, undefined, page);
    list(told, [record(told, one, 501, DEPOSIT)]);
    const read = { ...expired, point_of_sale_id: POS, selected: selected(ASSET, 901), received_amount: '0' };
    told.call('GET', `${PATH}/payment-request/${one.id}`, undefined, read);
    told.missing();
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
    told.missing();
  },
  'a payment that disappears after it was booked': (told) => {
    const { one, booked } = reversed(told);
    told.rest();
    list(told, [record(told, one, 501, REVERSAL), booked]);
    told.missing();
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
      told.missing();
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
      told.missing();
    },
  ],
  'an adjustment for nothing': [
    'an adjustment reverses what was final and disappeared',
    (told) => {
      const one = paid(told);
      list(told, [record(told, one, 500, { type: 'adjustment', gross_amount: '-1' })]);
    },
  ],
  'another amount reversed': [
    'an adjustment reverses what was final and disappeared',
    (told) => {
      const { one, booked } = reversed(told);
      list(told, [record(told, one, 501, { ...REVERSAL, gross_amount: '-9' }), booked]);
    },
  ],
  'a reversal that leaves its fee': [
    'net is gross less the fee',
    (told) => {
      const { one, booked } = reversed(told);
      told.rest();
      list(told, [record(told, one, 501, { ...REVERSAL, net_amount: '-10' }), booked]);
      told.missing();
    },
  ],
  'a payment reversed twice': [
    'an adjustment reverses what was final and disappeared',
    (told) => {
      const { one, booked } = reversed(told);
      list(told, [record(told, one, 502, REVERSAL), record(told, one, 501, REVERSAL), booked]);
    },
  ],
  'a payment that disappears and stays booked': [
    'the ledger has what came and is final still',
    (told) => {
      const { booked } = reversed(told);
      told.rest();
      list(told, [booked]);
      told.missing();
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
  takes(RIGHT);

  finds(WRONG);
});
