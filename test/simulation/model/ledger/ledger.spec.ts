import { describe } from '@jest/globals';
import { cases, list, paid, record, TestHistory, TestRequest } from '../test-history.js';

function reversed(history: TestHistory): {
  readonly one: TestRequest;
  readonly booked: Record<string, unknown>;
} {
  const one = paid(history);
  const booked = record(history, one, 500);
  list(history, [booked]);
  history.unwind(4);
  history.blocksOn(8);
  return { one, booked };
}

const REVERSAL = { type: 'adjustment', gross_amount: '-10', net_amount: '-9.9', expected_amount: '-10' };
const DEPOSIT = { type: 'deposit', gross_amount: '3', net_amount: '2.97', expected_amount: '3' };

describe('The simulation’s model of the ledger', () => {
  const { accepts, detects } = cases(() => undefined);

  accepts('a payment_in and a late deposit', (history) => {
    const one = paid(history);
    list(history, [record(history, one, 500)]);
    const first = record(history, one, 500, {
      created_at: history.iso(history.now - 11),
      updated_at: history.iso(history.now - 11),
    });
    one.pay('3000000');
    list(history, [first]);
    history.blocksOn(3);
    history.rest();
    list(history, [record(history, one, 501, { ...DEPOSIT, transaction_hash: history.hash(2) }), first]);
    history.missing();
  });
  accepts('the reversal of a booked payment', (history) => {
    const { one, booked } = reversed(history);
    history.rest();
    list(history, [record(history, one, 501, REVERSAL), booked]);
    history.missing();
  });
  detects('a payment_in before it is final', 'gross is what was received in final blocks', (history) => {
    const one = new TestRequest(history);
    one.pay('10000000');
    history.blocksOn(2);
    list(history, [record(history, one, 500)]);
  });
  detects('two payment_in', 'one payment_in for each request', (history) => {
    const one = paid(history);
    list(history, [record(history, one, 501), record(history, one, 500)]);
  });
  detects('a fee of other terms', 'net is gross less the fee', (history) =>
    list(history, [record(history, paid(history), 500, { net_amount: '10' })]),
  );
  detects('a record that changes', 'a record of the ledger never changes', (history) => {
    const one = paid(history);
    const first = record(history, one, 500);
    list(history, [first]);
    list(history, [{ ...first, gross_amount: '11' }]);
  });
  detects('a record that vanishes', 'no record vanishes', (history) => {
    list(history, [record(history, paid(history), 500)]);
    list(history, []);
  });
  detects('a payment booked as a deposit too', 'deposits are what came and did not count', (history) => {
    const one = paid(history);
    const again = { type: 'deposit', transaction_hash: history.hash(1) };
    list(history, [record(history, one, 501, again), record(history, one, 500)]);
  });
  detects('no payment_in at rest', 'each confirmed request has its payment_in', (history) => {
    paid(history);
    history.rest();
    list(history, []);
    history.missing();
  });
  detects('late money that is lost', 'what came and did not count is a deposit', (history) => {
    const one = paid(history);
    one.pay('3000000');
    history.blocksOn(3);
    history.rest();
    list(history, [record(history, one, 500)]);
    history.missing();
  });
  detects('an adjustment for nothing', 'an adjustment reverses what was final and disappeared', (history) => {
    const one = paid(history);
    list(history, [record(history, one, 500, { type: 'adjustment', gross_amount: '-1' })]);
  });
  detects('a reversal that leaves its fee', 'net is gross less the fee', (history) => {
    const { one, booked } = reversed(history);
    history.rest();
    list(history, [record(history, one, 501, { ...REVERSAL, net_amount: '-10' }), booked]);
    history.missing();
  });
  detects(
    'a reversed payment that stays booked',
    'the ledger has what came and is final still',
    (history) => {
      const { booked } = reversed(history);
      history.rest();
      list(history, [booked]);
      history.missing();
    },
  );
  detects('a page too large', 'what must be refused is refused', (history) =>
    history.call(
      'GET',
      '/v1/transactions',
      undefined,
      { data: [], total: 0, page: 1, page_size: 101, total_pages: 0 },
      { query: { page: '1', page_size: '101' } },
    ),
  );
});
