import { describe, expect, it } from '@jest/globals';
import { PATH, PRICE, session } from '../told-checkouts.js';
import { finds, type Tale } from '../tales.js';
import {
  ACCOUNT,
  address,
  ASSET,
  FEE_RECIPIENT,
  SETTLEMENT_ADDRESS,
  TOKEN,
  ToldHistory,
  uuid,
} from '../told-history.js';
import { list as listLedger, record } from '../told-records.js';
import { ToldRequest } from '../told-requests.js';

const HASH = `0x${'5'.repeat(64)}`;

function paid(told: ToldHistory): ToldRequest {
  const one = new ToldRequest(told);
  one.pay('10000000');
  told.blocksOn(3);
  one.read('completed', { received_amount: '10' });
  return one;
}

function settle(told: ToldHistory, one: ToldRequest, to = SETTLEMENT_ADDRESS, toFee = '100000'): void {
  const toSettlement = (10_000_000n - BigInt(toFee)).toString();
  const paying = { token: TOKEN, from: one.address, transactionHash: HASH };
  told.block(
    [
      { ...paying, to, amount: toSettlement },
      { ...paying, to: FEE_RECIPIENT, amount: toFee, index: 1 },
    ],
    [{ forwarder: one.address, token: TOKEN, toSettlement, toFee, transactionHash: HASH }],
  );
}

function list(told: ToldHistory, changes: object = {}): void {
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
    created_at: told.iso(),
    updated_at: told.iso(),
    ...changes,
  };
  const data = { data: [record], total: 1, page: 1, page_size: 50, total_pages: 1 };
  told.call('GET', `/v1/transactions/settlement/${ACCOUNT}`, undefined, data);
}

/** A settlement and its withdraw are completed, then failed. @param isNamed the payment says that it delivered it all the same */
function fail(told: ToldHistory, isLeft: boolean, isNamed = false): void {
  const one = paid(told);
  settle(told, one);
  told.blocksOn(3);
  const received = record(told, one, 500);
  const withdraw = record(told, one, 601, {
    ...{ type: 'withdraw', gross_amount: '9.9', expected_amount: '9.9', transaction_hash: HASH },
    ...{ from: one.address, from_type: 'vault', to: SETTLEMENT_ADDRESS, to_type: 'settlement_address' },
  });
  const created_at = told.iso();
  list(told, { created_at });
  listLedger(told, [withdraw, received]);
  if (isLeft) told.unwind(4);
  told.blocksOn(8);
  list(told, { created_at, status: 'failed' });
  const still = isNamed ? { settlement_id: uuid(600) } : {};
  listLedger(told, [
    { ...withdraw, status: 'failed' },
    { ...received, ...still },
  ]);
}

/** One of two transfers disappears after both were booked, and hours later the rest is paid out. */
function settleHeld(told: ToldHistory, hours = 6): void {
  const one = new ToldRequest(told);
  for (let parts = 2; parts > 0; parts -= 1) one.pay('5000000');
  told.blocksOn(3);
  const booked = record(told, one, 500);
  listLedger(told, [booked]);
  told.unwind(4);
  told.blocksOn(8);
  const reversal = { type: 'adjustment', gross_amount: '-5', net_amount: '-4.95', expected_amount: '-5' };
  listLedger(told, [record(told, one, 501, reversal), booked]);
  told.pass(hours * 3600);
  const [toSettlement, toFee, paying] = ['4950000', '50000', { from: one.address, transactionHash: HASH }];
  told.block(
    [
      { ...paying, to: SETTLEMENT_ADDRESS, amount: toSettlement },
      { ...paying, to: FEE_RECIPIENT, amount: toFee, index: 1 },
    ],
    [{ forwarder: one.address, token: TOKEN, toSettlement, toFee, transactionHash: HASH }],
  );
  told.blocksOn(3);
  told.rest();
  told.missing();
}

const HELD = 'an address whose credit disappeared waits for the operator';

const WRONG: Record<string, readonly [string, Tale]> = {
  'a payout to a stranger': [
    'a forwarder pays only addresses of its terms',
    (told) => settle(told, paid(told), address(66)),
  ],
  'too large a fee': [
    'a forwarder pays in the split of its terms',
    (told) => settle(told, paid(told), SETTLEMENT_ADDRESS, '200000'),
  ],
  'a settlement that is not on the chain': [
    'a completed settlement is on the chain',
    (told) => {
      paid(told);
      list(told);
    },
  ],
  'a settlement before its block is final': [
    'a settlement is completed by a final block',
    (told) => {
      settle(told, paid(told));
      list(told);
    },
  ],
  'a settlement that was completed before its block was final': [
    'a settlement is completed by a final block',
    (told) => {
      settle(told, paid(told));
      told.blocksOn(2);
      const updated_at = told.iso();
      told.blocksOn(1);
      list(told, { created_at: updated_at, updated_at });
    },
  ],
  'a settlement of another amount': [
    'a settlement is what forwarders paid',
    (told) => {
      settle(told, paid(told));
      told.blocksOn(3);
      list(told, { amount: '9.8' });
    },
  ],
  'a settlement address of nobody': [
    'a settlement pays to an address of the terms',
    (told) => {
      settle(told, paid(told));
      told.blocksOn(3);
      list(told, { settlement_address: address(66) });
    },
  ],
  'an address that is settled though its credit disappeared': [HELD, (told) => settleHeld(told)],
  'a completed settlement that fails': ['a settlement keeps what was settled', (told) => fail(told, false)],
  'a payment that names a settlement that has failed': [
    'a settled payment names a settlement that stands',
    (told) => {
      fail(told, true, true);
      told.rest();
      told.missing();
    },
  ],
  'a completed withdraw that fails': ['a completed withdraw stays so', (told) => fail(told, false)],
  'money that is never settled': [
    'what was collected is settled in time',
    (told) => {
      paid(told);
      told.pass(30 * 3600);
      told.rest();
      told.missing();
    },
  ],
};

describe('settlements of the model', () => {
  it('takes what was paid out and its record', () => {
    const told = new ToldHistory();
    settle(told, paid(told));
    told.blocksOn(3);
    told.pass(30 * 3600);
    told.rest();
    list(told);
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes it that a settlement fails whose final block the chain left', () => {
    const told = new ToldHistory();
    fail(told, true);
    expect(told.found).toEqual([]);
  });

  it('takes it that the operator has released an address', () => {
    const told = new ToldHistory();
    told.tell({ kind: 'released', at: told.now, address: address(100) });
    settleHeld(told);
    expect(told.wrong()).not.toContain(HELD);
  });

  it('takes it that a settlement is mined hours later that was sent before the money disappeared', () => {
    const told = new ToldHistory();
    settleHeld(told, 4);
    expect(told.wrong()).not.toContain(HELD);
  });

  it('takes it that what is worth less than its gas waits after a settlement', () => {
    const told = new ToldHistory();
    const one = paid(told);
    settle(told, one);
    one.pay('20000');
    told.blocksOn(3);
    told.pass(90 * 3600);
    told.rest();
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes the record of a checkout whose address only a list has shown', () => {
    const told = new ToldHistory();
    told.answer('POST', `${PATH}/payment-request-checkout`, PRICE, 'lost');
    const { payment_options: _, ...made } = session(told);
    const one = { address: address(901) } as ToldRequest;
    told.block([{ to: one.address, amount: '10000000' }]);
    told.blocksOn(3);
    settle(told, one);
    told.blocksOn(3);
    told.rest();
    const shown = { ...made, status: 'completed', unique_asset_id: ASSET, address: one.address };
    const page = { data: [shown], total: 1, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `${PATH}/payment-request`, undefined, page);
    list(told);
    expect(told.found).toEqual([]);
  });

  finds(WRONG);
});
