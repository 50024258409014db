import { describe, expect, it } from '@jest/globals';
import {
  ACCOUNT,
  address,
  ASSET,
  cases,
  COIN,
  list,
  record,
  TestHistory,
  TestRequest,
  uuid,
} from '../test-history.js';

const HASH = `0x${'6'.repeat(64)}`;
const FLOAT = address(90);
const PAYER = address(91);

function refund(
  history: TestHistory,
  one: TestRequest,
  status: string,
  amount = '10',
  changes: object = {},
): object {
  return {
    id: uuid(700),
    payment_request_id: one.id,
    status,
    amount,
    unique_asset_id: ASSET,
    currency: 'USDC',
    network: 'erc20',
    refund_to_address: PAYER,
    created_at: history.iso(),
    ...changes,
  };
}

function create(
  history: TestHistory,
  one: TestRequest,
  amount?: string,
  changes: object = {},
  asset?: string,
): void {
  const body = {
    refund_to_address: PAYER,
    ...(amount !== undefined && { amount }),
    ...(asset !== undefined && { unique_asset_id: asset }),
  };
  history.call(
    'POST',
    `/v1/refunds/payment-request/${one.id}`,
    body,
    refund(history, one, 'pending', amount, changes),
  );
}

function read(
  history: TestHistory,
  one: TestRequest,
  status: string,
  changes: object = { transaction_hash: HASH },
): void {
  history.call('GET', `/v1/refunds/${uuid(700)}`, undefined, refund(history, one, status, '10', changes));
}

function pay(history: TestHistory, amount = '10000000', to = PAYER): void {
  history.block([{ from: FLOAT, to, amount, transactionHash: HASH }]);
  history.blocksOn(3);
}

function bookCancelled(history: TestHistory, one: TestRequest): void {
  const path = `/v1/refunds/payment-request/${one.id}`;
  history.call('POST', path, { claim: {}, amount: '5' }, refund(history, one, 'pending', '5'));
  cancel(history, one, '5');
  list(history, [
    record(history, one, 502, { type: 'refund', status: 'failed', gross_amount: '5', to: PAYER }),
  ]);
  rest(history);
}

function rest(history: TestHistory): void {
  history.rest();
  history.missing();
}

function cancel(history: TestHistory, one: TestRequest, amount: string): void {
  const path = `/v1/refunds/${uuid(700)}/cancel`;
  history.call('POST', path, undefined, refund(history, one, 'failed', amount));
}

function refuseWithin(history: TestHistory, one: TestRequest, perDay: string): void {
  const limit = { accountId: ACCOUNT, uniqueAssetId: ASSET, perDay, isAutomatic: false };
  history.add({ kind: 'refund limit', at: history.now, ...limit });
  history.block([{ to: PAYER, amount: '1' }]);
  create(history, one, '10');
  cancel(history, one, '10');
  const path = `/v1/refunds/payment-request/${one.id}`;
  const body = { refund_to_address: PAYER, amount: '10' };
  history.refuse('POST', path, body, 409, 'state_conflict');
  rest(history);
}

describe('The simulation’s model of refunds', () => {
  const { detects } = cases((history) => paid(history));

  const paid = (history: TestHistory): TestRequest => {
    const one = new TestRequest(history);
    one.pay('10000000');
    history.blocksOn(3);
    one.read('completed', { received_amount: '10', confirmed_at: history.iso() });
    return one;
  };

  it('accepts a refund that is paid', () => {
    const history = new TestHistory();
    const one = paid(history);
    create(history, one, undefined, {}, ASSET);
    read(history, one, 'processing', {});
    pay(history);
    read(history, one, 'completed');
    history.refuse(
      'POST',
      `/v1/refunds/payment-request/${one.id}`,
      { refund_to_address: PAYER },
      409,
      'state_conflict',
    );
    history.refuse('POST', `/v1/refunds/${uuid(700)}/cancel`, undefined, 409, 'state_conflict');
    history.rest();
    history.missing();
    expect(history.found).toEqual([]);
  });
  detects('more than was received', 'what must be refused is refused', (history, one) =>
    create(history, one, '11'),
  );
  detects('twice the same money', 'never more is refunded than was received', (history, one) => {
    create(history, one);
    create(history, one, '1', { id: uuid(701) });
  });
  detects('another asset than the one asked for', 'a refund is of the asset asked for', (history, one) =>
    create(history, one, '1', { unique_asset_id: COIN }, ASSET),
  );
  detects('completed without a transfer', 'a completed refund is on the chain', (history, one) => {
    create(history, one);
    read(history, one, 'completed');
  });
  detects('a refund that goes back', 'a refund never goes back', (history, one) => {
    create(history, one);
    pay(history);
    read(history, one, 'completed');
    read(history, one, 'processing');
  });
  detects('a float that pays twice', 'a float pays what it owes once, and nothing else', (history, one) => {
    create(history, one);
    pay(history);
    read(history, one, 'completed');
    pay(history);
    rest(history);
  });
  detects(
    'a float that pays a failed refund',
    'a float pays what it owes once, and nothing else',
    (history, one) => {
      create(history, one, '4', { id: uuid(701) });
      history.block([{ from: FLOAT, to: PAYER, amount: '4000000', transactionHash: HASH }]);
      history.blocksOn(3);
      const paidBack = refund(history, one, 'completed', '4', { id: uuid(701), transaction_hash: HASH });
      history.call('GET', `/v1/refunds/${uuid(701)}`, undefined, paidBack);
      create(history, one, '5');
      cancel(history, one, '5');
      pay(history, '5000000');
      rest(history);
    },
  );
  detects('a refund that fails by itself', 'a refund fails only where it is cancelled', (history, one) => {
    create(history, one);
    read(history, one, 'failed', {});
    rest(history);
  });
  detects(
    'a full refund of an overpaid request',
    'the default of an overpaid request is the excess',
    (history) => {
      const one = new TestRequest(history, 102);
      one.pay('15000000');
      history.blocksOn(3);
      one.read('overpaid', { received_amount: '15' });
      list(history, [record(history, one, 500, { gross_amount: '15', net_amount: '14.85' })]);
      create(history, one, undefined, { amount: '15' });
    },
  );
  detects('a record of a cancelled refund', 'a refund in the ledger is one that was approved', bookCancelled);
  detects(
    'a refund refused below the limit',
    'a refund within the limit of a day is approved',
    (history, one) => refuseWithin(history, one, '10'),
  );
});
