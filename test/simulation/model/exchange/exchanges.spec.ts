import { describe } from '@jest/globals';
import { finds, takes, type Tale } from '../tales.js';
import { link, PRICE } from '../told-checkouts.js';
import { ACCOUNT, ASSET, COIN, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

const request = (told: ToldHistory): ToldRequest => new ToldRequest(told);
const PATH = `/v1/pos/${POS}/payment-request`;
const BODY = { amount: '10', unique_asset_id: ASSET };

const CODE = { code: 'ABCD2345', device_name: 'Phone' };
const offerCode = (told: ToldHistory) =>
  told.tell({ kind: 'pairing', at: told.now, posId: POS, code: CODE.code });

const replayOf = (data: unknown) => ({
  status: 200,
  headers: { 'idempotency-replayed': 'true' },
  body: { status: 'success', data },
});

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
    told.answer('POST', PATH, BODY, replayOf(one), key);
    told.refuse('POST', PATH, { ...BODY, amount: '11' }, 422, 'idempotency_key_reused', key);
    told.refuse('POST', PATH, { ...BODY, more: 1 }, 400, 'unknown_field', key);
  },
  'a repetition whose answer is heard before the first one': (told) => {
    const [first, second] = [told.now, told.now + 1].map((sentAt) => ({ idempotencyKey: 'k', sentAt }));
    const one = new ToldRequest(new ToldHistory(), 300).created;
    told.pass(1);
    told.answer('POST', PATH, BODY, replayOf(one), second);
    told.call('POST', PATH, BODY, one, first);
  },
  'a key that comes again with a body whose fields are not stated in full': (told) => {
    const key = { idempotencyKey: 'k' };
    link(told, key);
    told.refuse('POST', `/v1/pos/${POS}/payment-link`, { ...PRICE, more: 1 }, 400, 'unknown_field', key);
  },
  'an event of a request that is underway': (told) => tellEvent(told, 'processing', false),
  'a request that is refused since its account is deleted at that moment': (told) => {
    const sentAt = told.now;
    told.call('DELETE', `/v1/account/${ACCOUNT}`, undefined, { id: ACCOUNT });
    told.refuse('POST', PATH, BODY, 404, 'not_found', { sentAt });
  },
  'a repetition that is sent while the first is answered': (told) => {
    const key = { idempotencyKey: 'k' };
    const sentAt = told.now;
    told.call('POST', PATH, BODY, new ToldRequest(new ToldHistory(), 300).created, key);
    told.refuse('POST', PATH, BODY, 409, 'idempotency_in_progress', { ...key, sentAt });
  },
  'a phone that is paired by a code': (told) => {
    offerCode(told);
    told.call('POST', '/public/till/pairing', { code: 'abcd2345', device_name: 'p' }, {});
    told.refuse('POST', '/public/till/pairing', CODE, 401, 'pairing_code_invalid');
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
  'a repetition that is refused though the first was answered': [
    'a valid request is not refused',
    (told) => {
      const key = { idempotencyKey: 'k' };
      told.call('POST', PATH, BODY, new ToldRequest(new ToldHistory(), 300).created, key);
      told.refuse('POST', PATH, BODY, 409, 'idempotency_in_progress', key);
    },
  ],
  'a request that is created in an account which is deleted at that moment': [
    'an account with something open is not deleted',
    (told) => {
      const sentAt = told.now;
      told.call('DELETE', `/v1/account/${ACCOUNT}`, undefined, { id: ACCOUNT });
      const { created } = new ToldRequest(new ToldHistory(), 300);
      told.call('POST', PATH, BODY, { ...created, created_at: told.iso(sentAt) }, { sentAt });
    },
  ],
  'a code that pairs two phones': [
    'a code pairs one phone',
    (told) => {
      offerCode(told);
      const sentAt = told.now;
      told.call('POST', '/public/till/pairing', CODE, {});
      told.call('POST', '/public/till/pairing', CODE, {}, { sentAt });
    },
  ],
  'a code that pairs a phone after ten minutes': [
    'what must be refused is refused',
    (told) => {
      offerCode(told);
      told.pass(605);
      told.call('POST', '/public/till/pairing', CODE, {});
    },
  ],
  'an event of an overpaid request that is not fulfilled': [
    'fulfilled',
    (told) => tellEvent(told, 'overpaid', false),
  ],
  'a replay of what nobody asked for before': [
    'a first answer is no replay',
    (told) => {
      const one = new ToldRequest(new ToldHistory(), 300).created;
      told.answer('POST', PATH, BODY, replayOf(one), { idempotencyKey: 'k' });
    },
  ],
  'a repetition that is no replay': [
    'a repeated key replays the answer',
    (told) => {
      const one = new ToldRequest(new ToldHistory(), 300).created;
      for (const _ of ['first', 'second']) told.call('POST', PATH, BODY, one, { idempotencyKey: 'k' });
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

function tellEvent(told: ToldHistory, status: string, fulfilled: boolean): void {
  const body = JSON.stringify({ data: { payment_request_id: request(told).id, status } });
  const data = [{ id: uuid(50), event_type: 'payment_request', fulfilled, body }];
  told.call('GET', '/v1/events', undefined, { data, has_more: false });
}

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
  takes(RIGHT);

  finds(WRONG);
});
