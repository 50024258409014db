import { describe, expect, it } from '@jest/globals';
import {
  ACCOUNT,
  address,
  ASSET,
  cases,
  FEE_RECIPIENT,
  list as listLedger,
  record,
  SETTLEMENT_ADDRESS,
  TOKEN,
  TestHistory,
  TestRequest,
  uuid,
} from '../test-history.js';

const HASH = `0x${'5'.repeat(64)}`;

function paid(history: TestHistory): TestRequest {
  const one = new TestRequest(history);
  one.pay('10000000');
  history.blocksOn(3);
  one.read('completed', { received_amount: '10' });
  return one;
}

function settle(history: TestHistory, one: TestRequest, to = SETTLEMENT_ADDRESS, toFee = '100000'): void {
  const toSettlement = (10_000_000n - BigInt(toFee)).toString();
  const paying = { token: TOKEN, from: one.address, transactionHash: HASH };
  history.block(
    [
      { ...paying, to, amount: toSettlement },
      { ...paying, to: FEE_RECIPIENT, amount: toFee, index: 1 },
    ],
    [{ forwarder: one.address, token: TOKEN, toSettlement, toFee, transactionHash: HASH }],
  );
}

function list(history: TestHistory, changes: object = {}): void {
  const record = {
    id: uuid(600),
    account_id: ACCOUNT,
    network: 'erc20',
    unique_asset_id: ASSET,
    currency: 'USDC',
    amount: '9.9',
    fee_amount: '0.1',
    settlement_address: SETTLEMENT_ADDRESS,
    status: 'completed',
    transaction_hash: HASH,
    payment_count: 1,
    created_at: history.iso(),
    updated_at: history.iso(),
    ...changes,
  };
  const data = { data: [record], total: 1, page: 1, page_size: 50, total_pages: 1 };
  history.call('GET', `/v1/transactions/settlement/${ACCOUNT}`, undefined, data);
}

/** A settlement and its withdraw are completed, then failed. @param isNamed the payment says that it delivered it all the same */
function fail(history: TestHistory, isLeft: boolean, isNamed = false): void {
  const one = paid(history);
  settle(history, one);
  history.blocksOn(3);
  const received = record(history, one, 500);
  const withdraw = record(history, one, 601, {
    ...{ type: 'withdraw', gross_amount: '9.9', expected_amount: '9.9', transaction_hash: HASH },
    ...{ from: one.address, from_type: 'vault', to: SETTLEMENT_ADDRESS, to_type: 'settlement_address' },
  });
  const created_at = history.iso();
  list(history, { created_at });
  listLedger(history, [withdraw, received]);
  if (isLeft) history.unwind(4);
  history.blocksOn(8);
  list(history, { created_at, status: 'failed' });
  const still = isNamed ? { settlement_id: uuid(600) } : {};
  listLedger(history, [
    { ...withdraw, status: 'failed' },
    { ...received, ...still },
  ]);
}

/** One of two transfers disappears after both were booked, and hours later the rest is paid out. */
function settleHeld(history: TestHistory, hours = 6): void {
  const one = new TestRequest(history);
  for (let parts = 2; parts > 0; parts -= 1) one.pay('5000000');
  history.blocksOn(3);
  const booked = record(history, one, 500);
  listLedger(history, [booked]);
  history.unwind(4);
  history.blocksOn(8);
  const reversal = { type: 'adjustment', gross_amount: '-5', net_amount: '-4.95', expected_amount: '-5' };
  listLedger(history, [record(history, one, 501, reversal), booked]);
  history.pass(hours * 3600);
  const [toSettlement, toFee, paying] = ['4950000', '50000', { from: one.address, transactionHash: HASH }];
  history.block(
    [
      { ...paying, to: SETTLEMENT_ADDRESS, amount: toSettlement },
      { ...paying, to: FEE_RECIPIENT, amount: toFee, index: 1 },
    ],
    [{ forwarder: one.address, token: TOKEN, toSettlement, toFee, transactionHash: HASH }],
  );
  history.blocksOn(3);
  history.rest();
  history.missing();
}

const HELD = 'an address whose credit disappeared waits for the operator';

describe('The simulation’s model of settlements', () => {
  const { detects } = cases(() => undefined);

  it('accepts a settlement that was paid', () => {
    const history = new TestHistory();
    settle(history, paid(history));
    history.blocksOn(3);
    history.pass(30 * 3600);
    history.rest();
    list(history);
    history.missing();
    expect(history.found).toEqual([]);
  });

  it('accepts a failed settlement after a deep reorganization', () => {
    const history = new TestHistory();
    fail(history, true);
    expect(history.found).toEqual([]);
  });
  detects('a payout to a stranger', 'a forwarder pays only addresses of its terms', (history) =>
    settle(history, paid(history), address(66)),
  );
  detects('too large a fee', 'a forwarder pays in the split of its terms', (history) =>
    settle(history, paid(history), SETTLEMENT_ADDRESS, '200000'),
  );
  detects('a settlement that is not on the chain', 'a completed settlement is on the chain', (history) => {
    paid(history);
    list(history);
  });
  detects('a settlement completed too early', 'a settlement is completed by a final block', (history) => {
    settle(history, paid(history));
    list(history);
  });
  detects('a settlement of another amount', 'a settlement is what forwarders paid', (history) => {
    settle(history, paid(history));
    history.blocksOn(3);
    list(history, { amount: '9.8' });
  });
  detects('a settlement address of nobody', 'a settlement pays to an address of the terms', (history) => {
    settle(history, paid(history));
    history.blocksOn(3);
    list(history, { settlement_address: address(66) });
  });
  detects('an address that is settled though its credit disappeared', HELD, (history) => settleHeld(history));
  detects('a completed settlement that fails', 'a settlement keeps what was settled', (history) =>
    fail(history, false),
  );
  detects(
    'a payment of a failed settlement',
    'a settled payment names a settlement that stands',
    (history) => {
      fail(history, true, true);
      history.rest();
      history.missing();
    },
  );
  detects('a completed withdraw that fails', 'a completed withdraw stays so', (history) =>
    fail(history, false),
  );
  detects('money that is never settled', 'what was collected is settled in time', (history) => {
    paid(history);
    history.pass(30 * 3600);
    history.rest();
    history.missing();
  });
});
