import { describe, expect, it } from '@jest/globals';
import { ASSET, COIN, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

type Tale = (told: ToldHistory) => void;
const request = (told: ToldHistory): ToldRequest => new ToldRequest(told);
const PATH = `/v1/pos/${POS}/payment-request`;
const BODY = { amount: '10', unique_asset_id: ASSET };

const RIGHT: Record<string, Tale> = {
  'refusals that the documents name': (told) => {
    told.refuse('POST', PATH, { ...BODY, amount: '0.4' }, 400, 'validation_failed');
    told.refuse('POST', PATH, { ...BODY, amount: 10 }, 400, 'validation_failed');
    told.refuse('POST', PATH, { ...BODY, unique_asset_id: COIN }, 400, 'validation_failed');
    told.refuse('POST', PATH, { ...BODY, more: 1 }, 400, 'unknown_field');
    told.credential({ roles: ['read'] });
    told.pass(1);
    told.refuse('POST', PATH, BODY, 403, 'role_required');
    told.credential({ isEnabled: false });
    told.pass(1);
    told.refuse('GET', `/v1/pos/${POS}`, undefined, 401, 'credential_disabled');
  },
  'a creation that is repeated with its key': (told) => {
    const key = { idempotencyKey: 'k' };
    const one = new ToldRequest(new ToldHistory(), 300).created;
    told.call('POST', PATH, BODY, one, key);
    const again = {
      status: 200,
      headers: { 'idempotency-replayed': 'true' },
      body: { status: 'success', data: one },
    };
    told.answer('POST', PATH, BODY, again, key);
    told.refuse('POST', PATH, { ...BODY, amount: '11' }, 422, 'idempotency_key_reused', key);
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'another organization’s credential': [
    'what must be refused is refused',
    (told) => {
      const one = request(told);
      told.credential({ organizationId: uuid(9) });
      told.pass(1);
      one.read('created');
    },
  ],
  'a disabled credential': [
    'what must be refused is refused',
    (told) => {
      told.credential({ isEnabled: false });
      told.pass(1);
      request(told);
    },
  ],
  'a request below the minimum': [
    'what must be refused is refused',
    (told) => told.call('POST', PATH, { ...BODY, amount: '0.1' }, {}),
  ],
  'a valid request refused': [
    'a valid request is not refused',
    (told) => told.refuse('POST', PATH, BODY, 400, 'validation_failed'),
  ],
  'two objects for one key': [
    'a replayed answer is the first one without its secrets',
    (told) => {
      const [one, two] = [300, 301].map((number) => new ToldRequest(new ToldHistory(), number).created);
      told.call('POST', PATH, BODY, one, { idempotencyKey: 'k' });
      told.call('POST', PATH, BODY, two, { idempotencyKey: 'k' });
    },
  ],
};

describe('exchanges of the model', () => {
  it.each(Object.entries(RIGHT))('takes: %s', (_, tale) => {
    const told = new ToldHistory();
    tale(told);
    told.pass(300);
    expect(told.found).toEqual([]);
  });

  it.each(Object.entries(WRONG))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told);
    expect(told.wrong()).toContain(rule);
  });
});
