import { describe, expect, it } from '@jest/globals';
import {
  address,
  cases,
  Fields,
  list,
  paid,
  record,
  SETTLEMENT_ADDRESS,
  TestHistory,
  TestRequest,
  uuid,
} from '../test-history.js';

const FLOAT = address(90);

function ofFloat(history: TestHistory, changes: Fields): Fields {
  const one = { id: '', address: FLOAT } as TestRequest;
  const { payment_request_id: _, ...fields } = record(history, one, 600, {
    ...{ gross_amount: '5', net_amount: '5', expected_amount: '5' },
    ...changes,
  });
  return fields;
}

const topUp = (history: TestHistory, changes: Fields = {}): Fields =>
  ofFloat(history, { type: 'deposit', to_type: 'wallet', ...changes });

const floatWithdraw = (history: TestHistory): Fields =>
  ofFloat(history, {
    ...{ id: uuid(601), type: 'withdraw', from: FLOAT, to: SETTLEMENT_ADDRESS },
    ...{ to_type: 'settlement_address', transaction_hash: history.hash(2) },
  });

function sentToFloat(history: TestHistory): void {
  history.block([{ to: FLOAT, amount: '5000000' }]);
  history.blocksOn(3);
}

describe('The simulation’s model of refund floats in the ledger', () => {
  const { detects } = cases(() => undefined);

  it('accepts a top-up and its withdrawal', () => {
    const history = new TestHistory();
    sentToFloat(history);
    const first = topUp(history);
    list(history, [first]);
    history.block([{ from: FLOAT, to: SETTLEMENT_ADDRESS, amount: '5000000' }]);
    history.blocksOn(3);
    history.rest();
    list(history, [floatWithdraw(history), first]);
    history.missing();
    history.pass(300);
    expect(history.found).toEqual([]);
  });
  detects('a deposit without its request', 'a deposit is tied to the request it was sent to', (history) => {
    const one = paid(history);
    list(history, [topUp(history, { to: one.address })]);
  });
  detects('a top-up booked twice', 'top-ups are what came to the float in final blocks', (history) => {
    sentToFloat(history);
    list(history, [topUp(history, { id: uuid(602) }), topUp(history)]);
  });
  detects('a second float', 'an organization has one float on a network', (history) => {
    sentToFloat(history);
    list(history, [topUp(history, { id: uuid(602), to: address(91) }), topUp(history)]);
  });
  detects('an unpaid withdraw', 'a completed withdraw of the float is on the chain', (history) => {
    sentToFloat(history);
    list(history, [floatWithdraw(history), topUp(history)]);
  });
  detects('a top-up of which a part is booked', 'all that came to a float is booked', (history) => {
    sentToFloat(history);
    history.pass(7_200);
    history.rest();
    list(history, [topUp(history, { gross_amount: '4', net_amount: '4', expected_amount: '4' })]);
    history.missing();
  });
  it('accepts a remainder below the minimum that is not booked', () => {
    const history = new TestHistory();
    history.block([{ to: FLOAT, amount: '5400000' }]);
    history.blocksOn(3);
    history.pass(7_200);
    history.rest();
    list(history, [topUp(history)]);
    history.missing();
    expect(history.found).toEqual([]);
  });
  detects('a float that pays somebody', 'a float pays what it owes once, and nothing else', (history) => {
    sentToFloat(history);
    list(history, [topUp(history)]);
    history.block([{ from: FLOAT, to: SETTLEMENT_ADDRESS, amount: '5000000' }]);
    history.rest();
    history.missing();
  });
});
