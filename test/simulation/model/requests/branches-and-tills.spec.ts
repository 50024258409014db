import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, address, ASSET, PATH, POS, pos, TestHistory, TestRequest, uuid } from '../test-history.js';

type Fields = Record<string, unknown>;
const RULE = 'a physical POS has one open request';

/** Two requests of a till whose creations are under way at once. */
function twoAtOnce(history: TestHistory): Fields[] {
  pos(history, 'physical', [ASSET]);
  const sentAt = history.now;
  const body = { amount: '10', unique_asset_id: ASSET };
  const made = [970, 971].map((number) => ({
    ...{ id: uuid(number), type: 'fixed', status: 'created', token: 't', amount: '10', currency: 'USDC' },
    ...{ unique_asset_id: ASSET, network: 'erc20', address: address(number) },
    ...{ point_of_sale_id: POS, account_id: ACCOUNT },
    ...{ expires_at: history.iso(sentAt + 480_005), created_at: history.iso(sentAt + 5) },
  }));
  for (const one of made) history.call('POST', `${PATH}/payment-request`, body, one, { sentAt });
  history.pass(70);
  return made;
}

function read(history: TestHistory, shown: Fields): void {
  history.call('GET', `${PATH}/payment-request/${shown.id as string}`, undefined, shown);
}

describe('The simulation’s model of concurrent requests of a till', () => {
  it.each([0, 1])('allows one request to end the other: request %d', (ended) => {
    const history = new TestHistory();
    const made = twoAtOnce(history);
    made.forEach((one, at) => read(history, at === ended ? { ...one, expires_at: one.created_at } : one));
    expect(history.wrong()).toEqual([]);
  });

  it('detects that both requests stay open', () => {
    const history = new TestHistory();
    for (const one of twoAtOnce(history)) read(history, one);
    expect(history.wrong()).toContain(RULE);
  });
});

describe('The simulation’s model of a point of sale that becomes another type', () => {
  it.each([
    ['physical', 'online', false],
    ['online', 'physical', true],
  ])(
    'applies the type that the point of sale has at the second request: %s, then %s',
    (before, after, isFound) => {
      const history = new TestHistory();
      const sell = (type: string, number: number) => {
        pos(history, type, [ASSET]);
        history.pass(1);
        const one = new TestRequest(history, number);
        history.pass(70);
        return one;
      };
      const sold = [sell(before, 970), sell(after, 971)];
      for (const one of [...sold, ...sold]) one.read('created');
      expect(history.wrong().includes(RULE)).toBe(isFound);
    },
  );
});

describe('The simulation’s model of confirmations', () => {
  it.each([
    [3, []],
    [2, ['a final transfer has the confirmations that it needs']],
  ])('requires the confirmations of a final transfer: %d', (confirmations, found) => {
    const history = new TestHistory();
    const one = new TestRequest(history);
    one.pay('10000000');
    history.blocksOn(3);
    const transfer = {
      ...{ transaction_hash: history.hash(1), amount: '10', from: address(7), confirmations },
      ...{ required_confirmations: 3, final: true, counted: true },
    };
    one.read('completed', { received_amount: '10', transfers: [transfer] });
    expect(history.wrong()).toEqual(found);
  });

  it.each([
    ['accepts a counted transfer that another branch has too late', 0, false],
    ['detects a counted transfer in a late block', 1, true],
  ])('%s', (_, shown, isFound) => {
    const history = new TestHistory();
    const one = new TestRequest(history);
    const transfer = { to: one.address, amount: '10000000', transactionHash: history.hash(1) };
    const blocks = ['', 'again'].map((name) => {
      if (name !== '') history.unwind(1);
      const read = {
        block_number: history.block([transfer], [], name),
        block_time: history.iso(history.now),
      };
      history.pass(600);
      return read;
    });
    const confirmed = { amount: '10', from: address(7), confirmations: 1, required_confirmations: 3 };
    const counted = { transaction_hash: history.hash(1), ...confirmed, final: false, counted: true };
    one.read('processing', { received_amount: '10', transfers: [{ ...counted, ...blocks[shown] }] });
    expect(history.wrong().includes('a transfer counts until the window and its grace end')).toBe(isFound);
  });
});
