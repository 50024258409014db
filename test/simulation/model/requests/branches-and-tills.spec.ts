import { describe, expect, it } from '@jest/globals';
import { PATH, pos } from '../told-checkouts.js';
import { ACCOUNT, address, ASSET, COIN, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';
import { outlook } from './outlook.js';

type Fields = Record<string, unknown>;
const RULE = 'a physical POS has one open request';

/** Two requests of a till whose creations are under way at once. */
function twoAtOnce(told: ToldHistory, lost?: 'the second is lost'): Fields[] {
  pos(told, 'physical', [ASSET]);
  const sentAt = told.now;
  const body = { amount: '10', unique_asset_id: ASSET };
  const made = [970, 971].map((number) => ({
    ...{ id: uuid(number), type: 'fixed', status: 'created', token: 't', amount: '10', currency: 'USDC' },
    ...{ unique_asset_id: ASSET, network: 'erc20', address: address(number) },
    ...{ point_of_sale_id: POS, account_id: ACCOUNT },
    ...{ expires_at: told.iso(sentAt + 480_005), created_at: told.iso(sentAt + 5) },
  }));
  if (lost !== undefined) told.answer('POST', `${PATH}/payment-request`, body, 'lost');
  for (const one of lost === undefined ? made : made.slice(0, 1))
    told.call('POST', `${PATH}/payment-request`, body, one, { sentAt });
  told.pass(70);
  return made;
}

function read(told: ToldHistory, shown: Fields): void {
  told.call('GET', `${PATH}/payment-request/${shown.id as string}`, undefined, shown);
}

describe('requests of a till at once, for the model', () => {
  it.each([0, 1])('takes that one of them has ended the other', (ended) => {
    const told = new ToldHistory();
    const made = twoAtOnce(told);
    made.forEach((one, at) => read(told, at === ended ? { ...one, expires_at: one.created_at } : one));
    expect(told.wrong()).toEqual([]);
  });

  it('takes that one whose answer is lost has ended another that was under way', () => {
    const told = new ToldHistory();
    const [one] = twoAtOnce(told, 'the second is lost');
    read(told, { ...one, expires_at: one!.created_at });
    expect(told.wrong()).toEqual([]);
  });

  it('finds that both are open', () => {
    const told = new ToldHistory();
    for (const one of twoAtOnce(told)) read(told, one);
    expect(told.wrong()).toContain(RULE);
  });
});

describe('requests of a point of sale that becomes another type, for the model', () => {
  it.each([
    ['physical', 'online', false],
    ['online', 'physical', true],
  ])('judges two open ones by its type at the second one: %s, then %s', (before, after, isFound) => {
    const told = new ToldHistory();
    const sell = (type: string, number: number) => {
      pos(told, type, [ASSET]);
      told.pass(1);
      const one = new ToldRequest(told, number);
      told.pass(70);
      return one;
    };
    const sold = [sell(before, 970), sell(after, 971)];
    for (const one of [...sold, ...sold]) one.read('created');
    expect(told.wrong().includes(RULE)).toBe(isFound);
  });
});

describe('confirmations, for the model', () => {
  it.each([
    [3, []],
    [2, ['a final transfer has the confirmations that it needs']],
  ])('takes so many of a final transfer: %d', (confirmations, found) => {
    const told = new ToldHistory();
    const one = new ToldRequest(told);
    one.pay('10000000');
    told.blocksOn(3);
    const transfer = {
      ...{ transaction_hash: told.hash(1), amount: '10', from: address(7), confirmations },
      ...{ required_confirmations: 3, final: true, counted: true },
    };
    one.read('completed', { received_amount: '10', transfers: [transfer] });
    expect(told.wrong()).toEqual(found);
  });

  it('takes it that coin of a contract is final on the branch that stands', () => {
    const told = new ToldHistory();
    const changes = { unique_asset_id: COIN, currency: 'ETH' };
    pos(told, 'online', [ASSET, COIN]);
    const one = new ToldRequest(told, 100, changes);
    const coin = { to: one.address, token: null, way: 'inner' as const, amount: '10000000000000000000' };
    told.block([coin]);
    told.unwind(1);
    told.block([coin], [], 'again');
    told.blocksOn(3);
    const transfer = { amount: '10', from: address(0), confirmations: 3, required_confirmations: 3 };
    const transfers = [{ ...transfer, final: true, counted: true }];
    one.read('completed', { received_amount: '10', transfers });
    expect(told.wrong()).toEqual([]);
  });

  it('takes it that a transfer was final on the branch that the service has read', () => {
    const told = new ToldHistory();
    const one = new ToldRequest(told);
    const transactionHash = told.hash(1);
    one.pay('10000000', { transactionHash });
    told.blocksOn(3);
    told.unwind(4);
    told.block([{ to: one.address, amount: '10000000', transactionHash }], [], 'again');
    const transfer = { transaction_hash: transactionHash, amount: '10', from: address(7), confirmations: 3 };
    const transfers = [{ ...transfer, required_confirmations: 3, final: true, counted: true }];
    one.read('completed', { received_amount: '10', transfers });
    expect(told.wrong()).toEqual([]);
  });

  it.each([
    [
      'knows a counted transfer by the time of its block, also where another branch has it too late',
      0,
      false,
    ],
    ['finds that a transfer counts though its block is too late', 1, true],
  ])('%s', (_, shown, isFound) => {
    const told = new ToldHistory();
    const one = new ToldRequest(told);
    const transfer = { to: one.address, amount: '10000000', transactionHash: told.hash(1) };
    const blocks = ['', 'again'].map((name) => {
      if (name !== '') told.unwind(1);
      const read = { block_number: told.block([transfer], [], name), block_time: told.iso(told.now) };
      told.pass(600);
      return read;
    });
    const confirmed = { amount: '10', from: address(7), confirmations: 1, required_confirmations: 3 };
    const counted = { transaction_hash: told.hash(1), ...confirmed, final: false, counted: true };
    one.read('processing', { received_amount: '10', transfers: [{ ...counted, ...blocks[shown] }] });
    expect(told.wrong().includes('a transfer counts until the window and its grace end')).toBe(isFound);
  });

  it('takes it that of two equal payments either has decided, where one is found later', () => {
    const told = new ToldHistory();
    pos(told, 'online', [ASSET, COIN]);
    const one = new ToldRequest(told, 100, { unique_asset_id: COIN, currency: 'ETH' });
    const coin = { to: one.address, token: null, amount: '10000000000000000000' };
    told.block([{ ...coin, way: 'inner' }]);
    told.block([{ ...coin, way: 'call' }]);
    told.blocksOn(4);
    one.read('completed', { received_amount: '10' });
    const outcomes = outlook(told.model.known.requests.get(one.id)!, 0, 5).outcomes;
    expect(outcomes.map(({ last }) => last[0]!.transfer.way).sort()).toEqual(['call', 'inner']);
  });
});
