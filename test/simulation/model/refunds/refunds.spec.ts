import { describe, expect, it } from '@jest/globals';
import { address, ASSET, COIN, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

type Tale = (told: ToldHistory, one: ToldRequest) => void;
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

const WRONG: Record<string, readonly [string, Tale]> = {
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
      told.rest();
      told.found.push(...told.model.missing());
    },
  ],
};

describe('refunds of the model', () => {
  const paid = (told: ToldHistory): ToldRequest => {
    const one = new ToldRequest(told);
    one.pay('10000000');
    told.blocksOn(3);
    one.read('completed', { received_amount: '10' });
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
    told.found.push(...told.model.missing());
    expect(told.found).toEqual([]);
  });

  it.each(Object.entries(WRONG))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told, paid(told));
    expect(told.wrong()).toContain(rule);
  });
});
