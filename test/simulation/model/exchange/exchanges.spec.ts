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
    told.refuse('POST', PATH, { ...BODY, more: 1 }, 400, 'unknown_field', key);
  },
  'a creation without a key that the network delivered twice, the answered one seen first': (told) => {
    const first = new ToldRequest(new ToldHistory(), 301);
    const second = new ToldRequest(new ToldHistory(), 300);
    told.answer('POST', PATH, BODY, 'lost');
    told.call('GET', `${PATH}/${second.id}`, undefined, second.created);
    told.call('POST', PATH, BODY, second.created);
    told.call('GET', `${PATH}/${first.id}`, undefined, first.created);
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
  'another body, valid in itself, refused as wrong under a used key': [
    'the code of a refusal',
    (told) => {
      const key = { idempotencyKey: 'k' };
      told.call('POST', PATH, BODY, new ToldRequest(new ToldHistory(), 300).created, key);
      told.refuse('POST', PATH, { ...BODY, amount: '11' }, 400, 'unknown_field', key);
    },
  ],
  'two objects for one key': [
    'a replayed answer is the first one without its secrets',
    (told) => {
      const [one, two] = [300, 301].map((number) => new ToldRequest(new ToldHistory(), number).created);
      told.call('POST', PATH, BODY, one, { idempotencyKey: 'k' });
      told.call('POST', PATH, BODY, two, { idempotencyKey: 'k' });
    },
  ],
  'a second object of one key, delivered before the answered one': [
    'every request was created by somebody',
    (told) => showTwo(told, 'before'),
  ],
  'a second object of one key, delivered after the answered one': [
    'every request was created by somebody',
    (told) => showTwo(told, 'after'),
  ],
};

/** A creation under a key is answered and, before or after that, delivered without an answer; then an object of each shows. */
function showTwo(told: ToldHistory, lost: 'before' | 'after'): void {
  const key = { idempotencyKey: 'k' };
  const [one, two] = [300, 301].map((number) => new ToldRequest(new ToldHistory(), number).created);
  if (lost === 'before') told.answer('POST', PATH, BODY, 'lost', key);
  told.call('POST', PATH, BODY, one, key);
  if (lost === 'after') told.answer('POST', PATH, BODY, 'lost', key);
  told.call('GET', `${PATH}/${uuid(301)}`, undefined, two);
}

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
