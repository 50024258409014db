import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonical } from '../known/values.js';
import { ACCOUNT, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

type Tale = (told: ToldHistory, hook: Hook) => void;
type Fields = Record<string, unknown>;
const SECRET = `whsec_${'a'.repeat(44)}`;
const URL_ = 'https://shop.example/hook';
const PATH = `/v1/account/${ACCOUNT}/webhook`;

class Hook {
  readonly record: Fields;

  constructor(readonly told: ToldHistory) {
    this.record = {
      id: uuid(40),
      account_id: ACCOUNT,
      url: URL_,
      event_type: 'payment_request',
      active: true,
      failing: false,
      created_at: told.iso(),
      updated_at: told.iso(),
    };
    told.call('POST', PATH, { url: URL_, event_type: 'payment_request' }, { ...this.record, secret: SECRET });
  }

  deliver(
    one: ToldRequest,
    status: string,
    answered: number | null = 200,
    changes: Fields = {},
    secret = SECRET,
  ): void {
    const { told } = this;
    const data = {
      account_id: ACCOUNT,
      notification_type: 'payment_request_status_update',
      payment_request_id: one.id,
      payment_request_type: 'fixed',
      point_of_sale_id: POS,
      status,
      ...changes,
    };
    const body = JSON.stringify({ data });
    const stamp = String(Math.floor(told.now / 1000));
    const key = Buffer.from(secret.slice(6), 'base64');
    told.tell({
      kind: 'delivery',
      at: told.now,
      url: URL_,
      body,
      answered,
      headers: {
        'content-type': 'application/json',
        'x-request-timestamp': stamp,
        'x-request-signature': createHmac('sha256', secret)
          .update(`${stamp}.${canonical({ data })}`)
          .digest('hex'),
        'webhook-id': 'm',
        'webhook-timestamp': stamp,
        'webhook-signature': `v1,${createHmac('sha256', key).update(`m.${stamp}.${body}`).digest('base64')}`,
      },
    });
  }

  change(how: string): void {
    this.told.call('PATCH', `${PATH}/${uuid(40)}/${how}`, undefined, {
      ...this.record,
      active: how === 'activate',
    });
  }
}

function paid(told: ToldHistory): ToldRequest {
  const one = new ToldRequest(told);
  one.pay('10000000');
  told.blocksOn(3);
  return one;
}

function rest(told: ToldHistory): void {
  told.pass(60);
  told.rest();
  told.found.push(...told.model.missing());
}

const RIGHT: Record<string, Tale> = {
  'both statuses, one of them after a retry': (told, hook) => {
    const one = paid(told);
    hook.deliver(one, 'processing', 500);
    hook.deliver(one, 'completed');
    told.pass(5);
    hook.deliver(one, 'processing');
    rest(told);
  },
  'a receiver that never answers, and one that was deactivated': (told, hook) => {
    const one = paid(told);
    hook.deliver(one, 'processing', null);
    told.pass(5);
    hook.deliver(one, 'processing', 301);
    hook.change('deactivate');
    told.pass(3600);
    rest(told);
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'a wrong signature': [
    'deliveries are signed by the secret',
    (told, hook) => hook.deliver(paid(told), 'processing', 200, {}, `whsec_${'b'.repeat(44)}`),
  ],
  'a status that the request never had': [
    'a status is sent that the request had',
    (told, hook) => hook.deliver(paid(told), 'overpaid'),
  ],
  'a status that is not sent': [
    'statuses that trigger a delivery',
    (told, hook) => hook.deliver(paid(told), 'expired'),
  ],
  'one field more': [
    'the payload is exactly the contract’s',
    (told, hook) => hook.deliver(paid(told), 'processing', 200, { z: 1 }),
  ],
  'keys in another order': [
    'the body sent is canonical JSON',
    (told, hook) => hook.deliver(paid(told), 'processing', 200, { b: 1, a: 2 }),
  ],
  'an inactive webhook': [
    'deliveries go to active webhooks at their URL',
    (told, hook) => {
      const one = paid(told);
      hook.change('deactivate');
      told.pass(60);
      hook.deliver(one, 'processing');
    },
  ],
  'a retry too early': [
    'retries wait as the schedule says',
    (told, hook) => {
      const one = paid(told);
      hook.deliver(one, 'processing', 500);
      told.pass(1);
      hook.deliver(one, 'processing');
    },
  ],
  'again after it was acknowledged': [
    'nothing is sent after it was acknowledged',
    (told, hook) => {
      const one = paid(told);
      hook.deliver(one, 'processing');
      told.pass(5);
      hook.deliver(one, 'processing');
    },
  ],
  'no delivery': [
    'every status that must be sent is sent',
    (told, hook) => {
      hook.deliver(paid(told), 'processing');
      rest(told);
    },
  ],
  'no retry': [
    'retries go on as the schedule says',
    (told, hook) => {
      const one = paid(told);
      hook.deliver(one, 'processing', 500);
      hook.deliver(one, 'completed');
      told.pass(600);
      rest(told);
    },
  ],
  'a secret in a list': [
    'a secret is shown once',
    (told, hook) => {
      const data = {
        data: [{ ...hook.record, secret: SECRET }],
        total: 1,
        page: 1,
        page_size: 50,
        total_pages: 1,
      };
      told.call('GET', `${PATH}/list`, undefined, data);
    },
  ],
};

describe('webhooks of the model', () => {
  it.each(Object.entries(RIGHT))('takes: %s', (_, tale) => {
    const told = new ToldHistory();
    tale(told, new Hook(told));
    expect(told.found).toEqual([]);
  });

  it.each(Object.entries(WRONG))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told, new Hook(told));
    expect(told.wrong()).toContain(rule);
  });
});
