import { describe, expect, it } from '@jest/globals';
import type { Fields } from '../told-checkouts.js';
import { finds, type Tale } from '../tales.js';
import { address, SETTLEMENT_ADDRESS, ToldHistory, uuid } from '../told-history.js';
import { list, paid, record } from '../told-records.js';
import type { ToldRequest } from '../told-requests.js';

const FLOAT = address(90);

/** A record of the refund float, of no request. */
function ofFloat(told: ToldHistory, changes: Fields): Fields {
  const one = { id: '', address: FLOAT } as ToldRequest;
  const { payment_request_id: _, ...fields } = record(told, one, 600, {
    ...{ gross_amount: '5', net_amount: '5', expected_amount: '5' },
    ...changes,
  });
  return fields;
}

const topUp = (told: ToldHistory, changes: Fields = {}): Fields =>
  ofFloat(told, { type: 'deposit', to_type: 'wallet', ...changes });

const floatWithdraw = (told: ToldHistory): Fields =>
  ofFloat(told, {
    ...{ id: uuid(601), type: 'withdraw', from: FLOAT, to: SETTLEMENT_ADDRESS },
    ...{ to_type: 'settlement_address', transaction_hash: told.hash(2) },
  });

function sentToFloat(told: ToldHistory): void {
  told.block([{ to: FLOAT, amount: '5000000' }]);
  told.blocksOn(3);
}

const WRONG: Record<string, readonly [string, Tale]> = {
  'a deposit that does not name its request': [
    'a deposit is tied to the request it was sent to',
    (told) => {
      const one = paid(told);
      list(told, [topUp(told, { to: one.address })]);
    },
  ],
  'a top-up that is booked twice': [
    'top-ups are what came to the float in final blocks',
    (told) => {
      sentToFloat(told);
      list(told, [topUp(told, { id: uuid(602) }), topUp(told)]);
    },
  ],
  'a second float': [
    'an organization has one float on a network',
    (told) => {
      sentToFloat(told);
      list(told, [topUp(told, { id: uuid(602), to: address(91) }), topUp(told)]);
    },
  ],
  'a withdraw that the float did not pay': [
    'a completed withdraw of the float is on the chain',
    (told) => {
      sentToFloat(told);
      list(told, [floatWithdraw(told), topUp(told)]);
    },
  ],
  'a top-up of which a part is booked': [
    'all that came to a float is booked',
    (told) => {
      sentToFloat(told);
      told.pass(7_200);
      told.rest();
      list(told, [topUp(told, { gross_amount: '4', net_amount: '4', expected_amount: '4' })]);
      told.missing();
    },
  ],
  'a float that pays somebody': [
    'a float pays what it owes once, and nothing else',
    (told) => {
      sentToFloat(told);
      list(told, [topUp(told)]);
      told.block([{ from: FLOAT, to: SETTLEMENT_ADDRESS, amount: '5000000' }]);
      told.rest();
      told.missing();
    },
  ],
};

describe('refund floats in the ledger of the model', () => {
  it('takes a top-up of the refund float that is withdrawn', () => {
    const told = new ToldHistory();
    sentToFloat(told);
    const first = topUp(told);
    list(told, [first]);
    told.block([{ from: FLOAT, to: SETTLEMENT_ADDRESS, amount: '5000000' }]);
    told.blocksOn(3);
    told.rest();
    list(told, [floatWithdraw(told), first]);
    told.missing();
    told.pass(300);
    expect(told.found).toEqual([]);
  });

  finds(WRONG);
});
