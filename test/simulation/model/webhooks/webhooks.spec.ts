import { createHmac } from 'node:crypto';
import { describe } from '@jest/globals';
import { canonical } from '../known/values.js';
import { finds, takes, type Tale } from '../tales.js';
import { ACCOUNT, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';

type Fields = Record<string, unknown>;
const SECRET = `whsec_${'a'.repeat(44)}`;
const NEXT = `whsec_${'b'.repeat(44)}`;
const URL_ = 'https://shop.example/hook';
const PATH = `/v1/account/${ACCOUNT}/webhook`;

class Hook {
  readonly record: Fields;
  /** The clock of the service is so many seconds ahead. */
  clockAhead = 0;

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
    next: readonly string[] = [],
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
    const stamp = String(Math.floor(told.now / 1000) + this.clockAhead);
    const standard = [secret, ...next].map((each) => {
      const key = Buffer.from(each.slice(6), 'base64');
      return `v1,${createHmac('sha256', key).update(`m.${stamp}.${body}`).digest('base64')}`;
    });
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
        'webhook-signature': standard.join(' '),
      },
    });
  }

  /** The previous secret signs for an hour more. */
  rotate(): void {
    const { told } = this;
    const rotated = { ...this.record, previous_secret_until: told.iso(told.now + 3_600_000), secret: NEXT };
    told.call('POST', `${PATH}/${uuid(40)}/rotate-secret`, { overlap_seconds: 3_600 }, rotated);
    told.pass(60);
  }

  /** A log with an attempt that failed, after which another one is planned. */
  log(attempt: number, waitSeconds: number): void {
    const { told } = this;
    const entry = { id: uuid(41), delivery_id: uuid(42), webhook_id: uuid(40), attempt, status: 'pending' };
    const next_attempt_at = told.iso(told.now + waitSeconds * 1_000 + 20);
    const shown = { ...entry, http_status: 500, duration_ms: 20, created_at: told.iso(), next_attempt_at };
    const page = { total: 1, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `${PATH}/logs`, undefined, { data: [shown], ...page });
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
  told.missing();
}

const RIGHT: Record<string, Tale<Hook>> = {
  'both statuses, one of them after a retry': (told, hook) => {
    const one = paid(told);
    hook.deliver(one, 'processing', 500);
    hook.deliver(one, 'completed');
    told.pass(5);
    hook.deliver(one, 'processing');
    rest(told);
  },
  'the previous secret during an overlap, and the next one after it': (told, hook) => {
    const one = paid(told);
    hook.rotate();
    hook.deliver(one, 'processing', 200, {}, SECRET, [NEXT]);
    told.pass(3_600);
    hook.deliver(one, 'completed', 200, {}, NEXT);
    rest(told);
  },
  'the next secret once the overlap was ended': (told, hook) => {
    const one = paid(told);
    hook.rotate();
    told.call('POST', `${PATH}/${uuid(40)}/end-overlap`, undefined, hook.record);
    told.pass(60);
    hook.deliver(one, 'processing', 200, {}, NEXT);
    hook.deliver(one, 'completed', 200, {}, NEXT);
    rest(told);
  },
  'a deletion that is delivered twice, whose first answer is lost': (told) => {
    const path = `${PATH}/${uuid(40)}/delete`;
    told.answer('DELETE', path, undefined, 'lost');
    told.refuse('DELETE', path, undefined, 404, 'not_found');
    told.rest();
  },
  'retries for hours after an acknowledgement that was not recorded': (told, hook) => {
    const one = paid(told);
    told.answer('GET', PATH, undefined, 'lost');
    hook.deliver(one, 'processing');
    for (const seconds of [60, 60, 200, 700, 2_000, 8_000, 22_000, 44_000]) {
      hook.deliver(one, 'processing', 500);
      told.pass(seconds);
    }
    hook.deliver(one, 'processing', 500);
  },
  'attempts that the log plans by the schedule': (_told, hook) => {
    hook.log(1, 6);
    hook.log(3, 100);
  },
  'a delivery that is sent again after its webhook was switched off and on': (told, hook) => {
    const one = paid(told);
    hook.deliver(one, 'processing', 500);
    told.pass(1);
    hook.change('deactivate');
    hook.change('activate');
    told.call('POST', `${PATH}/${uuid(40)}/replay`, {}, {});
    told.pass(60);
    hook.deliver(one, 'processing');
  },
  'a delivery that is sent again before that is answered': (told, hook) => {
    const one = paid(told);
    hook.deliver(one, 'processing', 500);
    told.pass(1);
    hook.change('deactivate');
    hook.change('activate');
    told.pass(60);
    const sentAt = told.now;
    hook.deliver(one, 'processing');
    told.call('POST', `${PATH}/${uuid(40)}/replay`, {}, {}, { sentAt });
  },
  'another webhook of that URL, whose creation was not answered': (told, hook) => {
    told.answer('POST', PATH, { url: URL_, event_type: 'payment_request' }, 'lost');
    const one = paid(told);
    for (const secret of [SECRET, NEXT]) hook.deliver(one, 'processing', 200, {}, secret);
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
  'deliveries about a request whose creation was not answered': (told, hook) => {
    const record = { created_at: told.iso(), expires_at: told.iso(told.now + 480_000) };
    const one = new ToldRequest(new ToldHistory(), 100, record);
    const path = `/v1/pos/${POS}/payment-request`;
    told.answer('POST', path, { amount: '10', unique_asset_id: one.created.unique_asset_id }, 'lost');
    told.block([{ to: one.address, amount: '10000000' }]);
    told.blocksOn(3);
    hook.deliver(one, 'processing');
    hook.deliver(one, 'completed');
    told.call('GET', `${path}/${one.id}`, undefined, { ...one.created, status: 'completed' });
    const entry = { id: uuid(41), delivery_id: uuid(42), webhook_id: uuid(40), attempt: 1 };
    const of = { status: 'delivered', http_status: 200, payment_request_id: one.id, created_at: told.iso() };
    const page = { total: 1, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `${PATH}/logs`, undefined, { data: [{ ...entry, ...of }], ...page });
    rest(told);
  },
};

const WRONG: Record<string, readonly [string, Tale<Hook>]> = {
  'a wrong signature': [
    'deliveries are signed by the secret',
    (told, hook) => hook.deliver(paid(told), 'processing', 200, {}, NEXT),
  ],
  'a timestamp that lies ahead': [
    'each attempt has its own timestamp',
    (told, hook) => {
      hook.clockAhead = 30;
      hook.deliver(paid(told), 'processing');
    },
  ],
  'the next secret during an overlap': [
    'deliveries are signed by the secret',
    (told, hook) => {
      const one = paid(told);
      hook.rotate();
      hook.deliver(one, 'processing', 200, {}, NEXT, [SECRET]);
    },
  ],
  'the previous secret after its overlap': [
    'deliveries are signed by the secret',
    (told, hook) => {
      const one = paid(told);
      hook.rotate();
      told.pass(3_600);
      hook.deliver(one, 'processing', 200, {}, SECRET, [NEXT]);
    },
  ],
  'one secret of two during an overlap': [
    'deliveries carry the Standard Webhooks signature',
    (told, hook) => {
      const one = paid(told);
      hook.rotate();
      hook.deliver(one, 'processing');
    },
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
  'an attempt that the log plans as after two failed ones': [
    'a log plans the next attempt by the schedule',
    (_told, hook) => hook.log(1, 30),
  ],
  'what waited while a webhook was switched off and on': [
    'deactivating a webhook ends what waits',
    (told, hook) => {
      const one = paid(told);
      hook.deliver(one, 'processing', 500);
      told.pass(1);
      hook.change('deactivate');
      hook.change('activate');
      told.pass(60);
      hook.deliver(one, 'processing');
    },
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
  takes(RIGHT, (told) => new Hook(told));

  finds(WRONG, (told) => new Hook(told));
});
