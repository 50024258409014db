import { describe, expect, it } from '@jest/globals';
import { finds, takes, type Tale } from '../tales.js';
import { ASSET, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

const request = (told: ToldHistory): ToldRequest => new ToldRequest(told);
const PATH = `/v1/pos/${POS}/payment-request`;
const BODY = { amount: '10', unique_asset_id: ASSET };

const RIGHT: Record<string, Tale> = {
  'money that a lying node hid until the window had closed': (told) => {
    const one = new ToldRequest(told);
    told.tell({ kind: 'lying node', at: told.now, isOver: false });
    one.pay('10000000');
    told.tell({ kind: 'lying node', at: told.now, isOver: true });
    told.pass(600);
    told.blocksOn(4);
    one.read('expired', { received_amount: '0' });
  },
  'paid in full, with everything that a reader may see on the way': (told) => {
    const one = request(told);
    one.read('created', { received_amount: '0' });
    one.pay('10000000');
    one.read('created');
    one.read('processing', { received_amount: '10' });
    told.blocksOn(3);
    one.read('processing');
    one.read('completed', { received_amount: '10', fulfilled: true });
    told.rest();
    one.read('completed', { confirmed_at: told.iso() });
  },
  'paid in parts within the grace, and overpaid': (told) => {
    const one = request(told);
    one.pay('4000000');
    told.pass(440);
    one.pay('7000000');
    told.blocksOn(3);
    told.rest();
    one.read('overpaid', { received_amount: '11', confirmed_at: told.iso() });
  },
  'expired with a sum below the minimum of its asset, of which nothing was seen': (told) => {
    const one = request(told);
    one.pay('499999');
    told.blocksOn(3);
    one.read('created', { received_amount: '0' });
    told.pass(600);
    told.blocksOn(3);
    told.rest();
    one.read('expired', { received_amount: '0' });
  },
  'underpaid once the final block is past the deadline': (told) => {
    const one = request(told);
    one.pay('4000000');
    told.pass(600);
    told.blocksOn(3);
    one.read('processing');
    told.block();
    one.read('underpaid', { received_amount: '4' });
  },
  'created twice without an answer, and listed newest first': (told) => {
    const made = [100, 101].map((number): Record<string, unknown> => {
      const { created } = new ToldRequest(new ToldHistory(), number);
      const times = { created_at: told.iso(told.now + 1), expires_at: told.iso(told.now + 480_001) };
      told.answer('POST', PATH, BODY, 'lost');
      told.pass(600);
      return { ...created, ...times, status: 'expired' };
    });
    told.blocksOn(5);
    told.call('GET', PATH, undefined, {
      data: made.toReversed(),
      total: 2,
      page: 1,
      page_size: 50,
      total_pages: 1,
    });
    for (const one of made) told.call('GET', `${PATH}/${String(one.id)}`, undefined, one);
  },
  'paid too late': (told) => {
    const one = request(told);
    told.pass(560);
    one.pay('10000000');
    told.blocksOn(3);
    told.rest();
    one.read('expired');
  },
  'paid on a branch that is left': (told) => {
    const one = request(told);
    one.pay('10000000');
    one.read('processing');
    told.unwind(1);
    one.read('processing');
    told.pass(600);
    told.blocksOn(5);
    told.rest();
    one.read('expired');
  },
  'a lost creation that shows later': (told) => {
    told.answer('POST', PATH, BODY, 'lost');
    const hidden = { ...new ToldRequest(new ToldHistory(), 200).created, received_amount: '0' };
    told.pass(1);
    told.call('GET', `${PATH}/${uuid(200)}`, undefined, hidden);
  },
  'a creation that a list shows before its answer comes': (told) => {
    const other = new ToldHistory();
    const { created } = new ToldRequest(other, 200);
    const sentAt = told.now;
    const data = { data: [created], total: 1, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', PATH, undefined, data);
    told.call('POST', PATH, BODY, created, { sentAt });
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'a payment that nobody made': ['status allowed by the chain', (told) => request(told).read('processing')],
  'completed before it is final': [
    'status allowed by the chain',
    (told) => {
      const one = request(told);
      one.pay('10000000');
      told.blocksOn(2);
      one.read('completed');
    },
  ],
  'expired though paid in time': [
    'status allowed by the chain',
    (told) => {
      const one = request(told);
      told.pass(500);
      one.pay('10000000');
      told.blocksOn(4);
      one.read('expired');
    },
  ],
  'completed by a worthless token': [
    'status allowed by the chain',
    (told) => {
      const one = request(told);
      one.pay('10000000', { token: ASSET.replace('aa', 'ab').slice(6) });
      told.blocksOn(4);
      one.read('completed');
    },
  ],
  'an outcome left': [
    'a status never leaves an outcome',
    (told) => {
      const one = request(told);
      one.pay('10000000');
      told.blocksOn(4);
      one.read('completed');
      one.read('overpaid');
    },
  ],
  'a status that goes back': [
    'a status never goes back',
    (told) => {
      const one = request(told);
      one.pay('10000000');
      one.read('processing');
      one.read('created');
    },
  ],
  'still processing at rest': [
    'status allowed by the chain',
    (told) => {
      const one = request(told);
      one.pay('10000000');
      told.blocksOn(4);
      told.rest();
      one.read('processing');
    },
  ],
  'still processing though its payment is gone': [
    'status allowed by the chain',
    (told) => {
      const one = request(told);
      one.pay('10000000');
      one.read('processing');
      told.unwind(1);
      told.pass(600);
      told.blocksOn(5);
      told.rest();
      one.read('processing');
    },
  ],
  'money that nobody sent': [
    'received_amount allowed by the chain',
    (told) => {
      const one = request(told);
      one.pay('3000000');
      one.read('processing', { received_amount: '4' });
    },
  ],
  'another amount': [
    'the amount of a payment request',
    (told) => void new ToldRequest(told, 100, { amount: '11' }),
  ],
  'a window too long': [
    'the window is 8 minutes from creation',
    (told) => void new ToldRequest(told, 100, { expires_at: told.iso(told.now + 500_000) }),
  ],
  'an address twice': [
    'an address belongs to one request',
    (told) => {
      const one = request(told);
      new ToldRequest(told, 101, { address: one.address });
    },
  ],
  'a request from nowhere': [
    'every request was created by somebody',
    (told) =>
      told.call('GET', `${PATH}/${uuid(200)}`, undefined, new ToldRequest(new ToldHistory(), 200).created),
  ],
};

describe('payment requests of the model', () => {
  takes(RIGHT);

  finds(WRONG);

  it('never throws', () => {
    const told = new ToldHistory();
    for (const data of [null, [], 'text', { id: 5 }, { data: [null], total: 1 }]) {
      told.call('GET', `${PATH}/${uuid(5)}`, undefined, data);
      told.call('GET', PATH, undefined, data);
      told.call('POST', PATH, BODY, data);
    }
    expect(told.found.length).toBeGreaterThan(0);
    expect(told.found.filter((each) => each.rule === 'a fact can be interpreted')).toEqual([]);
  });
});
