import { createHmac } from 'node:crypto';
import { describe } from '@jest/globals';
import { canonical } from '../known/values.js';
import { ACCOUNT, cases, POS, TestHistory, TestRequest, uuid } from '../test-history.js';

type Fields = Record<string, unknown>;
const SECRET = `whsec_${'a'.repeat(44)}`;
const INCOMING = { notification_type: 'incoming_transfer_status_update', payment_request_type: undefined };
const NEXT = `whsec_${'b'.repeat(44)}`;
const URL_ = 'https://shop.example/hook';
const PATH = `/v1/account/${ACCOUNT}/webhook`;

class Hook {
  readonly record: Fields;
  /** The clock of the service is so many seconds ahead. */
  clockAhead = 0;
  serialize: (body: unknown) => string = canonical;

  constructor(
    readonly history: TestHistory,
    eventType = 'payment_request',
  ) {
    this.record = {
      id: uuid(40),
      account_id: ACCOUNT,
      url: URL_,
      event_type: eventType,
      active: true,
      failing: false,
      created_at: history.iso(),
      updated_at: history.iso(),
    };
    history.call('POST', PATH, { url: URL_, event_type: eventType }, { ...this.record, secret: SECRET });
  }

  deliver(
    one: TestRequest,
    status: string,
    answered: number | null = 200,
    changes: Fields = {},
    secret = SECRET,
    next: readonly string[] = [],
  ): void {
    const { history } = this;
    const data = {
      account_id: ACCOUNT,
      notification_type: 'payment_request_status_update',
      payment_request_id: one.id,
      payment_request_type: 'fixed',
      point_of_sale_id: POS,
      status,
      ...changes,
    };
    const body = this.serialize({ data });
    const stamp = String(Math.floor(history.now / 1000) + this.clockAhead);
    const standard = [secret, ...next].map((each) => {
      const key = Buffer.from(each.slice(6), 'base64');
      return `v1,${createHmac('sha256', key).update(`m.${stamp}.${body}`).digest('base64')}`;
    });
    history.add({
      kind: 'delivery',
      at: history.now,
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

  rotate(): void {
    const { history } = this;
    const rotated = {
      ...this.record,
      previous_secret_until: history.iso(history.now + 3_600_000),
      secret: NEXT,
    };
    history.call('POST', `${PATH}/${uuid(40)}/rotate-secret`, { overlap_seconds: 3_600 }, rotated);
    history.pass(60);
  }

  log(attempt: number, waitSeconds: number): void {
    const { history } = this;
    const entry = { id: uuid(41), delivery_id: uuid(42), webhook_id: uuid(40), attempt, status: 'pending' };
    const next_attempt_at = history.iso(history.now + waitSeconds * 1_000 + 20);
    const shown = { ...entry, http_status: 500, duration_ms: 20, created_at: history.iso(), next_attempt_at };
    const page = { total: 1, page: 1, page_size: 50, total_pages: 1 };
    history.call('GET', `${PATH}/logs`, undefined, { data: [shown], ...page });
  }

  change(how: string): void {
    this.history.call('PATCH', `${PATH}/${uuid(40)}/${how}`, undefined, {
      ...this.record,
      active: how === 'activate',
    });
  }
}

function paid(history: TestHistory): TestRequest {
  const one = new TestRequest(history);
  one.pay('10000000');
  history.blocksOn(3);
  return one;
}

function rest(history: TestHistory): void {
  history.pass(60);
  history.rest();
  history.missing();
}

describe('The simulation’s model of webhooks', () => {
  const { accepts, detects } = cases((history) => new Hook(history));

  accepts('both statuses after a retry', (history, hook) => {
    const one = paid(history);
    hook.deliver(one, 'processing', 500);
    hook.deliver(one, 'completed');
    history.pass(5);
    hook.deliver(one, 'processing');
    rest(history);
  });
  accepts('both secrets of a rotation', (history, hook) => {
    const one = paid(history);
    hook.rotate();
    hook.deliver(one, 'processing', 200, {}, SECRET, [NEXT]);
    history.pass(3_600);
    hook.deliver(one, 'completed', 200, {}, NEXT);
    rest(history);
  });
  detects('a wrong signature', 'deliveries are signed by the secret', (history, hook) =>
    hook.deliver(paid(history), 'processing', 200, {}, NEXT),
  );
  detects('a timestamp that lies ahead', 'each attempt has its own timestamp', (history, hook) => {
    hook.clockAhead = 30;
    hook.deliver(paid(history), 'processing');
  });
  detects('the previous secret after its overlap', 'deliveries are signed by the secret', (history, hook) => {
    const one = paid(history);
    hook.rotate();
    history.pass(3_600);
    hook.deliver(one, 'processing', 200, {}, SECRET, [NEXT]);
  });
  detects(
    'one of two secrets in an overlap',
    'deliveries carry the Standard Webhooks signature',
    (history, hook) => {
      const one = paid(history);
      hook.rotate();
      hook.deliver(one, 'processing');
    },
  );
  detects('a status that the request never had', 'a status is sent that the request had', (history, hook) =>
    hook.deliver(paid(history), 'overpaid'),
  );
  detects('a status that is not sent', 'statuses that trigger a delivery', (history, hook) =>
    hook.deliver(paid(history), 'expired'),
  );
  detects('one field more', 'the payload is exactly the contract’s', (history, hook) =>
    hook.deliver(paid(history), 'processing', 200, { z: 1 }),
  );
  detects('keys in another order', 'the body sent is canonical JSON', (history, hook) => {
    hook.serialize = JSON.stringify;
    hook.deliver(paid(history), 'processing', 200, { b: 1, a: 2 });
  });
  detects('a late attempt in the log', 'a log plans the next attempt by the schedule', (_, hook) =>
    hook.log(1, 30),
  );
  detects(
    'an attempt that outlives deactivation',
    'deactivating a webhook ends what waits',
    (history, hook) => {
      const one = paid(history);
      hook.deliver(one, 'processing', 500);
      history.pass(1);
      hook.change('deactivate');
      hook.change('activate');
      history.pass(60);
      hook.deliver(one, 'processing');
    },
  );
  detects('an inactive webhook', 'deliveries go to active webhooks at their URL', (history, hook) => {
    const one = paid(history);
    hook.change('deactivate');
    history.pass(60);
    hook.deliver(one, 'processing');
  });
  detects('a retry too early', 'retries wait as the schedule says', (history, hook) => {
    const one = paid(history);
    hook.deliver(one, 'processing', 500);
    history.pass(1);
    hook.deliver(one, 'processing');
  });
  detects('again after it was acknowledged', 'nothing is sent after it was acknowledged', (history, hook) => {
    const one = paid(history);
    hook.deliver(one, 'processing');
    history.pass(5);
    hook.deliver(one, 'processing');
  });
  detects('no delivery', 'every status that must be sent is sent', (history, hook) => {
    hook.deliver(paid(history), 'processing');
    rest(history);
  });
  detects('no retry', 'retries go on as the schedule says', (history, hook) => {
    const one = paid(history);
    hook.deliver(one, 'processing', 500);
    hook.deliver(one, 'completed');
    history.pass(600);
    rest(history);
  });
  detects('a secret in a list', 'a secret is shown once', (history, hook) => {
    const data = {
      data: [{ ...hook.record, secret: SECRET }],
      total: 1,
      page: 1,
      page_size: 50,
      total_pages: 1,
    };
    history.call('GET', `${PATH}/list`, undefined, data);
  });
});

describe('The simulation’s model of incoming transfers', () => {
  const { accepts, detects } = cases((history) => new Hook(history, 'incoming_transfer'));
  const late = (history: TestHistory, hook: Hook, amount: string) => {
    const one = paid(history);
    one.pay('3000000');
    history.blocksOn(3);
    const { unique_asset_id } = one.created;
    const transfer = { transfer_id: uuid(43), unique_asset_id, amount };
    for (const status of ['processing', 'completed'])
      hook.deliver(one, status, 200, { ...INCOMING, ...transfer });
  };

  accepts('money after the outcome', (history, hook) => late(history, hook, '3'));
  detects('an amount that never came', 'an incoming transfer is reported with its amount', (history, hook) =>
    late(history, hook, '4'),
  );
});
