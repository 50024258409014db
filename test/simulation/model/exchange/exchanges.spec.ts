import { describe } from '@jest/globals';
import { ACCOUNT, ASSET, cases, POS, TestHistory, TestRequest, uuid } from '../test-history.js';

const request = (history: TestHistory): TestRequest => new TestRequest(history);
const PATH = `/v1/pos/${POS}/payment-request`;
const BODY = { amount: '10', unique_asset_id: ASSET };

const CODE = { code: 'ABCD2345', device_name: 'Phone' };
const offerCode = (history: TestHistory) =>
  history.add({ kind: 'pairing', at: history.now, posId: POS, code: CODE.code });

const replayOf = (data: unknown) => ({
  status: 200,
  headers: { 'idempotency-replayed': 'true' },
  body: { status: 'success', data },
});

function tellEvent(history: TestHistory, status: string, fulfilled: boolean): void {
  const body = JSON.stringify({ data: { payment_request_id: request(history).id, status } });
  const data = [{ id: uuid(50), event_type: 'payment_request', fulfilled, body }];
  history.call('GET', '/v1/events', undefined, { data, has_more: false });
}

/** A creation under a key is answered and, before or after that, delivered without an answer; then an object of each shows. */
function showTwo(history: TestHistory, lost: 'before' | 'after'): void {
  const key = { idempotencyKey: 'k' };
  const [one, two] = [300, 301].map((number) => new TestRequest(new TestHistory(), number).created);
  if (lost === 'before') history.answer('POST', PATH, BODY, 'lost', key);
  history.call('POST', PATH, BODY, one, key);
  if (lost === 'after') history.answer('POST', PATH, BODY, 'lost', key);
  history.call('GET', `${PATH}/${uuid(301)}`, undefined, two);
}

describe('The simulation’s model of requests and answers', () => {
  const { accepts, detects } = cases(() => undefined);

  accepts('a repeated creation', (history) => {
    const key = { idempotencyKey: 'k' };
    const one = new TestRequest(new TestHistory(), 300).created;
    history.call('POST', PATH, BODY, one, key);
    history.answer('POST', PATH, BODY, replayOf(one), key);
    history.refuse('POST', PATH, { ...BODY, amount: '11' }, 422, 'idempotency_key_reused', key);
    history.refuse('POST', PATH, { ...BODY, more: 1 }, 400, 'unknown_field', key);
  });
  detects('another organization’s credential', 'what must be refused is refused', (history) => {
    const one = request(history);
    history.credential({ organizationId: uuid(9) });
    history.pass(1);
    one.read('created');
  });
  detects('a request below the minimum', 'what must be refused is refused', (history) =>
    history.call('POST', PATH, { ...BODY, amount: '0.1' }, {}),
  );
  detects('a valid request refused', 'a valid request is not refused', (history) =>
    history.refuse('POST', PATH, BODY, 400, 'validation_failed'),
  );
  detects('a wrong code for a reused key', 'the code of a refusal', (history) => {
    const key = { idempotencyKey: 'k' };
    history.call('POST', PATH, BODY, new TestRequest(new TestHistory(), 300).created, key);
    history.refuse('POST', PATH, { ...BODY, amount: '11' }, 400, 'unknown_field', key);
  });
  detects('a refused repetition', 'a valid request is not refused', (history) => {
    const key = { idempotencyKey: 'k' };
    history.call('POST', PATH, BODY, new TestRequest(new TestHistory(), 300).created, key);
    history.refuse('POST', PATH, BODY, 409, 'idempotency_in_progress', key);
  });
  detects('a request in a deleted account', 'an account with something open is not deleted', (history) => {
    const sentAt = history.now;
    history.call('DELETE', `/v1/account/${ACCOUNT}`, undefined, { id: ACCOUNT });
    const { created } = new TestRequest(new TestHistory(), 300);
    history.call('POST', PATH, BODY, { ...created, created_at: history.iso(sentAt) }, { sentAt });
  });
  detects('a code that pairs two phones', 'a code pairs one phone', (history) => {
    offerCode(history);
    const sentAt = history.now;
    history.call('POST', '/public/till/pairing', CODE, {});
    history.call('POST', '/public/till/pairing', CODE, {}, { sentAt });
  });
  detects('a code that pairs a phone after ten minutes', 'what must be refused is refused', (history) => {
    offerCode(history);
    history.pass(605);
    history.call('POST', '/public/till/pairing', CODE, {});
  });
  detects('an event of an overpaid request that is not fulfilled', 'fulfilled', (history) =>
    tellEvent(history, 'overpaid', false),
  );
  detects('a replay of what nobody asked for before', 'a first answer is no replay', (history) => {
    const one = new TestRequest(new TestHistory(), 300).created;
    history.answer('POST', PATH, BODY, replayOf(one), { idempotencyKey: 'k' });
  });
  detects('a repetition that is no replay', 'a repeated key replays the answer', (history) => {
    const one = new TestRequest(new TestHistory(), 300).created;
    for (const _ of ['first', 'second']) history.call('POST', PATH, BODY, one, { idempotencyKey: 'k' });
  });
  detects('two objects for one key', 'a replayed answer is the first one without its secrets', (history) => {
    const [one, two] = [300, 301].map((number) => new TestRequest(new TestHistory(), number).created);
    history.call('POST', PATH, BODY, one, { idempotencyKey: 'k' });
    history.call('POST', PATH, BODY, two, { idempotencyKey: 'k' });
  });
  detects('two objects of one lost key', 'every request was created by somebody', (history) =>
    showTwo(history, 'after'),
  );
});
