import { describe, expect, it } from '@jest/globals';
import { finds, type Tale } from '../tales.js';
import { ACCOUNT, address, ASSET, COIN, ToldHistory, uuid } from '../told-history.js';
import { list, record } from '../told-records.js';
import { ToldRequest } from '../told-requests.js';

const HASH = `0x${'6'.repeat(64)}`;
const FLOAT = address(90);
const PAYER = address(91);

function refund(
  told: ToldHistory,
  one: ToldRequest,
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
    created_at: told.iso(),
    ...changes,
  };
}

function create(
  told: ToldHistory,
  one: ToldRequest,
  amount?: string,
  changes: object = {},
  asset?: string,
): void {
  const body = {
    refund_to_address: PAYER,
    ...(amount !== undefined && { amount }),
    ...(asset !== undefined && { unique_asset_id: asset }),
  };
  told.call(
    'POST',
    `/v1/refunds/payment-request/${one.id}`,
    body,
    refund(told, one, 'pending', amount, changes),
  );
}

function read(
  told: ToldHistory,
  one: ToldRequest,
  status: string,
  changes: object = { transaction_hash: HASH },
): void {
  told.call('GET', `/v1/refunds/${uuid(700)}`, undefined, refund(told, one, status, '10', changes));
}

function pay(told: ToldHistory, amount = '10000000', to = PAYER): void {
  told.block([{ from: FLOAT, to, amount, transactionHash: HASH }]);
  told.blocksOn(3);
}

const WRONG: Record<string, readonly [string, Tale<ToldRequest>]> = {
  'more than was received': ['what must be refused is refused', (told, one) => create(told, one, '11')],
  'twice the same money': [
    'never more is refunded than was received',
    (told, one) => {
      create(told, one);
      create(told, one, '1', { id: uuid(701) });
    },
  ],
  'an asset that was not received': [
    'what must be refused is refused',
    (told, one) => create(told, one, '1', { unique_asset_id: COIN }, COIN),
  ],
  'another asset than the one asked for': [
    'a refund is of the asset asked for',
    (told, one) => create(told, one, '1', { unique_asset_id: COIN }, ASSET),
  ],
  'completed without a transfer': [
    'a completed refund is on the chain',
    (told, one) => {
      create(told, one);
      read(told, one, 'completed');
    },
  ],
  'another address': [
    'a completed refund is on the chain',
    (told, one) => {
      create(told, one);
      pay(told, '10000000', address(92));
      read(told, one, 'completed');
    },
  ],
  'a refund that goes back': [
    'a refund never goes back',
    (told, one) => {
      create(told, one);
      pay(told);
      read(told, one, 'completed');
      read(told, one, 'processing');
    },
  ],
  'a float that pays twice': [
    'a float pays what it owes once, and nothing else',
    (told, one) => {
      create(told, one);
      pay(told);
      read(told, one, 'completed');
      pay(told);
      rest(told);
    },
  ],
  'a float that pays a refund that has failed': [
    'a float pays what it owes once, and nothing else',
    (told, one) => {
      create(told, one, '4', { id: uuid(701) });
      told.block([{ from: FLOAT, to: PAYER, amount: '4000000', transactionHash: HASH }]);
      told.blocksOn(3);
      const paidBack = refund(told, one, 'completed', '4', { id: uuid(701), transaction_hash: HASH });
      told.call('GET', `/v1/refunds/${uuid(701)}`, undefined, paidBack);
      create(told, one, '5');
      cancel(told, one, '5');
      pay(told, '5000000');
      rest(told);
    },
  ],
  'a refund that fails by itself': [
    'a refund fails only where it is cancelled',
    (told, one) => {
      create(told, one);
      read(told, one, 'failed', {});
      rest(told);
    },
  ],
  'an overpaid request that is refunded as a whole': [
    'the default of an overpaid request is the excess',
    (told) => {
      const one = new ToldRequest(told, 102);
      one.pay('15000000');
      told.blocksOn(3);
      one.read('overpaid', { received_amount: '15' });
      list(told, [record(told, one, 500, { gross_amount: '15', net_amount: '14.85' })]);
      create(told, one, undefined, { amount: '15' });
    },
  ],
  'a record of a cancelled refund': ['a refund in the ledger is one that was approved', bookCancelled],
  'a refund that is refused below the limit': [
    'a refund within the limit of a day is approved',
    (told, one) => refuseWithin(told, one, '10'),
  ],
};

/** A refund by a claim, whose payer names an address, fails, and is in the ledger. */
function bookCancelled(told: ToldHistory, one: ToldRequest): void {
  const path = `/v1/refunds/payment-request/${one.id}`;
  told.call('POST', path, { claim: {}, amount: '5' }, refund(told, one, 'pending', '5'));
  cancel(told, one, '5');
  list(told, [record(told, one, 502, { type: 'refund', status: 'failed', gross_amount: '5', to: PAYER })]);
  rest(told);
}

function rest(told: ToldHistory): void {
  told.rest();
  told.missing();
}

function cancel(told: ToldHistory, one: ToldRequest, amount: string): void {
  const path = `/v1/refunds/${uuid(700)}/cancel`;
  told.call('POST', path, undefined, refund(told, one, 'failed', amount));
}

/** A refund is cancelled, and another one of a payer who has taken such a transfer before is refused. */
function refuseWithin(told: ToldHistory, one: ToldRequest, perDay: string): void {
  const limit = { accountId: ACCOUNT, uniqueAssetId: ASSET, perDay, isAutomatic: false };
  told.tell({ kind: 'refund limit', at: told.now, ...limit });
  told.block([{ to: PAYER, amount: '1' }]);
  create(told, one, '10');
  cancel(told, one, '10');
  const path = `/v1/refunds/payment-request/${one.id}`;
  const body = { refund_to_address: PAYER, amount: '10' };
  told.refuse('POST', path, body, 409, 'state_conflict');
  rest(told);
}

describe('refunds of the model', () => {
  const paid = (told: ToldHistory): ToldRequest => {
    const one = new ToldRequest(told);
    one.pay('10000000');
    told.blocksOn(3);
    one.read('completed', { received_amount: '10', confirmed_at: told.iso() });
    return one;
  };

  it('takes a refund that is created, paid and completed', () => {
    const told = new ToldHistory();
    const one = paid(told);
    create(told, one, undefined, {}, ASSET);
    read(told, one, 'processing', {});
    pay(told);
    read(told, one, 'completed');
    told.refuse(
      'POST',
      `/v1/refunds/payment-request/${one.id}`,
      { refund_to_address: PAYER },
      409,
      'state_conflict',
    );
    told.refuse('POST', `/v1/refunds/${uuid(700)}/cancel`, undefined, 409, 'state_conflict');
    told.rest();
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes it that of two creations without an answer the one to the same address has made a refund', () => {
    const told = new ToldHistory();
    const one = paid(told);
    for (const refund_to_address of [address(990), PAYER]) {
      told.answer('POST', `/v1/refunds/payment-request/${one.id}`, { refund_to_address }, 'lost');
    }
    read(told, one, 'processing', {});
    expect(told.found).toEqual([]);
  });

  it('takes it that a refund fails that the operator has given up', () => {
    const told = new ToldHistory();
    const one = paid(told);
    create(told, one);
    told.tell({ kind: 'given up', at: told.now, id: uuid(700) });
    create(told, one, undefined, { id: uuid(701) });
    read(told, one, 'failed', {});
    rest(told);
    expect(told.found).toEqual([]);
  });

  it('takes it that a refund is in the ledger that a limit may have approved', () => {
    const told = new ToldHistory();
    const kind = 'refund limit';
    told.tell({ kind, at: told.now, accountId: ACCOUNT, uniqueAssetId: ASSET, isAutomatic: true });
    bookCancelled(told, paid(told));
    expect(told.wrong()).not.toContain('a refund in the ledger is one that was approved');
  });

  it('takes it that a refund above the limit is refused', () => {
    const told = new ToldHistory();
    refuseWithin(told, paid(told), '9');
    expect(told.found).toEqual([]);
  });

  finds(WRONG, (told) => paid(told));
});
