import { describe, expect, it } from '@jest/globals';
import { ASSET, cases, POS, TestHistory, TestRequest, uuid } from '../test-history.js';

const request = (history: TestHistory): TestRequest => new TestRequest(history);
const PATH = `/v1/pos/${POS}/payment-request`;
const BODY = { amount: '10', unique_asset_id: ASSET };

describe('The simulation’s model of payment requests', () => {
  const { accepts, detects } = cases(() => undefined);

  accepts('a payment that a lying node hid', (history) => {
    const one = new TestRequest(history);
    history.add({ kind: 'lying node', at: history.now, isOver: false });
    one.pay('10000000');
    history.add({ kind: 'lying node', at: history.now, isOver: true });
    history.pass(600);
    history.blocksOn(4);
    one.read('expired', { received_amount: '0' });
  });
  accepts('a full payment at every stage', (history) => {
    const one = request(history);
    one.read('created', { received_amount: '0' });
    one.pay('10000000');
    one.read('created');
    one.read('processing', { received_amount: '10' });
    history.blocksOn(3);
    one.read('processing');
    one.read('completed', { received_amount: '10', fulfilled: true });
    history.rest();
    one.read('completed', { confirmed_at: history.iso() });
  });
  accepts('a payment that a reorganization removes', (history) => {
    const one = request(history);
    one.pay('10000000');
    one.read('processing');
    history.unwind(1);
    one.read('processing');
    history.pass(600);
    history.blocksOn(5);
    history.rest();
    one.read('expired');
  });
  detects('a payment that nobody made', 'status allowed by the chain', (history) =>
    request(history).read('processing'),
  );
  detects('completed before it is final', 'status allowed by the chain', (history) => {
    const one = request(history);
    one.pay('10000000');
    history.blocksOn(2);
    one.read('completed');
  });
  detects('expired though paid in time', 'status allowed by the chain', (history) => {
    const one = request(history);
    history.pass(500);
    one.pay('10000000');
    history.blocksOn(4);
    one.read('expired');
  });
  detects('completed by a worthless token', 'status allowed by the chain', (history) => {
    const one = request(history);
    one.pay('10000000', { token: ASSET.replace('aa', 'ab').slice(6) });
    history.blocksOn(4);
    one.read('completed');
  });
  detects('a status that goes back', 'a status never goes back', (history) => {
    const one = request(history);
    one.pay('10000000');
    one.read('processing');
    one.read('created');
  });
  detects('still processing though its payment is gone', 'status allowed by the chain', (history) => {
    const one = request(history);
    one.pay('10000000');
    one.read('processing');
    history.unwind(1);
    history.pass(600);
    history.blocksOn(5);
    history.rest();
    one.read('processing');
  });
  detects('money that nobody sent', 'received_amount allowed by the chain', (history) => {
    const one = request(history);
    one.pay('3000000');
    one.read('processing', { received_amount: '4' });
  });
  detects(
    'another amount of a request',
    'the amount of a payment request',
    (history) => void new TestRequest(history, 100, { amount: '11' }),
  );
  detects(
    'a window too long',
    'the window is 8 minutes from creation',
    (history) => void new TestRequest(history, 100, { expires_at: history.iso(history.now + 500_000) }),
  );
  detects('an address twice', 'an address belongs to one request', (history) => {
    const one = request(history);
    new TestRequest(history, 101, { address: one.address });
  });
  detects('a request from nowhere', 'every request was created by somebody', (history) =>
    history.call('GET', `${PATH}/${uuid(200)}`, undefined, new TestRequest(new TestHistory(), 200).created),
  );

  it('reports malformed responses without an error', () => {
    const history = new TestHistory();
    for (const data of [null, [], 'text', { id: 5 }, { data: [null], total: 1 }]) {
      history.call('GET', `${PATH}/${uuid(5)}`, undefined, data);
      history.call('GET', PATH, undefined, data);
      history.call('POST', PATH, BODY, data);
    }
    expect(history.found.length).toBeGreaterThan(0);
    expect(history.found.filter((each) => each.rule === 'a fact can be interpreted')).toEqual([]);
  });
});
