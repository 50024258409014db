import { describe, expect, it } from '@jest/globals';
import { dueDate } from './subscription.js';
import { address, ASSET, cases, POS, TestHistory, TestRequest, uuid } from '../test-history.js';

function expirePath(number: number): string {
  return `/v1/pos/${POS}/payment-request/${uuid(number)}/expire`;
}

class Offer {
  readonly record: Record<string, unknown>;

  constructor(
    readonly history: TestHistory,
    trial?: string,
  ) {
    const terms = { amount: '10', unique_asset_id: ASSET, interval: 'P1M' };
    this.record = {
      ...terms,
      id: uuid(800),
      status: 'pending',
      next_charge_at: null,
      created_at: history.iso(),
      expires_at: history.iso(history.now + 86_400_000),
      url: 'https://pay.example/subscription/code1',
    };
    const body = trial === undefined ? terms : { ...terms, trial_until: trial };
    history.call('POST', `/v1/pos/${POS}/subscription`, body, this.record);
  }

  wallet(how: 'accept' | 'revoke', status: string, next: string | null, name = 'w1'): void {
    const data = {
      id: uuid(800),
      status,
      expires_at: this.record.expires_at,
      next_charge_at: next,
      wallet_external_id: 'w1',
    };
    this.history.call(
      'POST',
      `/v1/wallets/v1/subscriptions/${uuid(800)}/${how}`,
      { wallet_external_id: name },
      data,
    );
  }

  accept(): void {
    this.wallet('accept', 'active', this.history.iso(dueDate(this.history.now + 5, 'P1M', 1)));
  }

  show(status: string): void {
    const shown = { ...this.record, status, wallet_external_id: 'w1' };
    this.history.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, shown);
  }

  /** A request of it is listed, and its merchant ends it. @param since when it had ended */
  endCharge(number: number, since?: number): void {
    if (!this.created.has(number)) this.charges(number);
    const expires_at = this.history.iso(since ?? this.history.now + 5);
    const ended = { id: uuid(number), status: 'expired', expires_at };
    this.history.call('POST', expirePath(number), undefined, ended);
  }

  paidAtRest(number: number): void {
    const { history } = this;
    this.charges(number);
    history.block([{ to: address(number), amount: '10000000' }]);
    history.blocksOn(3);
    history.pass(600);
    history.rest();
    this.charges(number);
    const other = new TestRequest(new TestHistory(), number, { reference_id: uuid(800) }).created;
    const read = { ...other, ...this.created.get(number), status: 'completed' };
    history.call('GET', `/v1/pos/${POS}/payment-request/${uuid(number)}`, undefined, read);
  }

  readonly created = new Map<number, object>();

  charges(...numbers: number[]): void {
    const { history } = this;
    const items = numbers.map((number) => {
      const other = new TestHistory();
      other.now = history.now;
      const made = new TestRequest(other, number, { reference_id: uuid(800) }).created;
      const kept = this.created.get(number) ?? made;
      this.created.set(number, kept);
      return kept;
    });
    const data = { data: items, total: items.length, page: 1, page_size: 50, total_pages: 1 };
    history.call('GET', `/v1/pos/${POS}/payment-request`, undefined, data);
  }
}

function refuseOffer(history: TestHistory, until: number): void {
  const body = { amount: '10', unique_asset_id: ASSET, interval: 'P1M', expires_at: history.iso(until) };
  history.refuse('POST', `/v1/pos/${POS}/subscription`, body, 400, 'validation_failed');
}

describe('The simulation’s model of subscriptions', () => {
  const { detects } = cases((history) => new Offer(history));

  it('computes monthly due dates', () => {
    const dates = [1, 2, 3, 12].map((count) =>
      new Date(dueDate(Date.UTC(2027, 0, 31, 9), 'P1M', count)).toISOString(),
    );
    expect(dates.map((date) => date.slice(0, 13))).toEqual([
      '2027-02-28T09',
      '2027-03-31T09',
      '2027-04-30T09',
      '2028-01-31T09',
    ]);
  });

  it('accepts an offer that is accepted and charged', () => {
    const history = new TestHistory();
    const offer = new Offer(history);
    offer.accept();
    offer.charges(810);
    history.refuse('POST', `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`, {}, 400, 'validation_failed');
    history.refuse(
      'POST',
      `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`,
      { wallet_external_id: 'w2' },
      409,
      'state_conflict',
    );
    history.missing();
    expect(history.found).toEqual([]);
  });
  detects('active though nobody accepted', 'a subscription is accepted by a wallet', (history, offer) =>
    history.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, {
      ...offer.record,
      status: 'active',
    }),
  );
  detects('accepted by two wallets', 'what must be refused is refused', (history, offer) => {
    offer.accept();
    history.pass(1);
    offer.wallet('accept', 'active', null, 'w2');
  });
  detects('accepted by two wallets at once', 'one wallet accepts a subscription', (history, offer) => {
    const sentAt = history.now;
    offer.accept();
    const path = `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`;
    const data = { id: uuid(800), status: 'active', expires_at: offer.record.expires_at };
    const answered = { ...data, next_charge_at: null, wallet_external_id: 'w2' };
    history.call('POST', path, { wallet_external_id: 'w2' }, answered, { sentAt });
  });
  detects(
    'past due after the merchant ended it',
    'a charge is missed by a whole window alone',
    (history, offer) => {
      offer.accept();
      history.pass(400);
      offer.endCharge(810);
      history.pass(100);
      offer.show('past_due');
    },
  );
  detects(
    'past due after a payment',
    'a paid charge ends that a subscription is past due',
    (history, offer) => {
      offer.accept();
      offer.paidAtRest(810);
      offer.show('past_due');
      history.missing();
    },
  );
  detects('an offer that is refused', 'a valid request is not refused', (history) =>
    refuseOffer(history, history.now + 60_000),
  );
  detects('a wrong due date', 'next_charge_at is a due date', (history, offer) =>
    offer.wallet('accept', 'active', history.iso(history.now + 86_400_000)),
  );
  detects('no charge', 'a due date opens a charge', (history, offer) => {
    offer.accept();
    history.pass(600);
    history.rest();
    offer.charges();
    history.missing();
  });
  detects('two charges at once', 'a charge has one open request at most', (history, offer) => {
    offer.accept();
    offer.charges(810, 811);
    history.missing();
  });
  detects('a charge after it was revoked', 'revoking stops all future charges', (history, offer) => {
    offer.accept();
    offer.wallet('revoke', 'revoked', null);
    history.pass(600);
    offer.charges(810);
    history.missing();
  });
  detects('active again after it was revoked', 'the order of a subscription’s statuses', (history, offer) => {
    offer.accept();
    offer.wallet('revoke', 'revoked', null);
    history.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, {
      ...offer.record,
      status: 'active',
    });
  });
});
