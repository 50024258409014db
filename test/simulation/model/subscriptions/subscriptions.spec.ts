import { describe, expect, it } from '@jest/globals';
import { pos } from '../told-checkouts.js';
import { finds, type Tale } from '../tales.js';
import { address, ASSET, COIN, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';
import { dueDate } from './calendar.js';

function expirePath(number: number): string {
  return `/v1/pos/${POS}/payment-request/${uuid(number)}/expire`;
}

class Offer {
  readonly record: Record<string, unknown>;

  constructor(
    readonly told: ToldHistory,
    trial?: string,
  ) {
    const terms = { amount: '10', unique_asset_id: ASSET, interval: 'P1M' };
    this.record = {
      ...terms,
      id: uuid(800),
      status: 'pending',
      next_charge_at: null,
      created_at: told.iso(),
      expires_at: told.iso(told.now + 86_400_000),
      url: 'https://pay.example/subscription/code1',
    };
    const body = trial === undefined ? terms : { ...terms, trial_until: trial };
    told.call('POST', `/v1/pos/${POS}/subscription`, body, this.record);
  }

  wallet(how: 'accept' | 'revoke', status: string, next: string | null, name = 'w1'): void {
    const data = {
      id: uuid(800),
      status,
      expires_at: this.record.expires_at,
      next_charge_at: next,
      wallet_external_id: 'w1',
    };
    this.told.call(
      'POST',
      `/v1/wallets/v1/subscriptions/${uuid(800)}/${how}`,
      { wallet_external_id: name },
      data,
    );
  }

  accept(): void {
    this.wallet('accept', 'active', this.told.iso(dueDate(this.told.now + 5, 'P1M', 1)));
  }

  show(status: string): void {
    const shown = { ...this.record, status, wallet_external_id: 'w1' };
    this.told.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, shown);
  }

  /** A request of it is listed, and its merchant ends it. @param since when it had ended */
  endCharge(number: number, since?: number): void {
    if (!this.created.has(number)) this.charges(number);
    const expires_at = this.told.iso(since ?? this.told.now + 5);
    const ended = { id: uuid(number), status: 'expired', expires_at };
    this.told.call('POST', expirePath(number), undefined, ended);
  }

  /** A request of it is listed at rest as paid. */
  paidAtRest(number: number): void {
    const { told } = this;
    this.charges(number);
    told.block([{ to: address(number), amount: '10000000' }]);
    told.blocksOn(3);
    told.pass(600);
    told.rest();
    this.charges(number);
    const other = new ToldRequest(new ToldHistory(), number, { reference_id: uuid(800) }).created;
    const read = { ...other, ...this.created.get(number), status: 'completed' };
    told.call('GET', `/v1/pos/${POS}/payment-request/${uuid(number)}`, undefined, read);
  }

  readonly created = new Map<number, object>();

  charges(...numbers: number[]): void {
    const { told } = this;
    const items = numbers.map((number) => {
      const other = new ToldHistory();
      other.now = told.now;
      const made = new ToldRequest(other, number, { reference_id: uuid(800) }).created;
      const kept = this.created.get(number) ?? made;
      this.created.set(number, kept);
      return kept;
    });
    const data = { data: items, total: items.length, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `/v1/pos/${POS}/payment-request`, undefined, data);
  }
}

function refuseOffer(told: ToldHistory, until: number): void {
  const body = { amount: '10', unique_asset_id: ASSET, interval: 'P1M', expires_at: told.iso(until) };
  told.refuse('POST', `/v1/pos/${POS}/subscription`, body, 400, 'validation_failed');
}

const WRONG: Record<string, readonly [string, Tale<Offer>]> = {
  'active though nobody accepted': [
    'a subscription is accepted by a wallet',
    (told, offer) =>
      told.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, {
        ...offer.record,
        status: 'active',
      }),
  ],
  'accepted by two wallets': [
    'what must be refused is refused',
    (told, offer) => {
      offer.accept();
      told.pass(1);
      offer.wallet('accept', 'active', null, 'w2');
    },
  ],
  'accepted by two wallets at once': [
    'one wallet accepts a subscription',
    (told, offer) => {
      const sentAt = told.now;
      offer.accept();
      const path = `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`;
      const data = { id: uuid(800), status: 'active', expires_at: offer.record.expires_at };
      const answered = { ...data, next_charge_at: null, wallet_external_id: 'w2' };
      told.call('POST', path, { wallet_external_id: 'w2' }, answered, { sentAt });
    },
  ],
  'accepted after the end of its offer': [
    'what must be refused is refused',
    (told, offer) => {
      told.pass(86_500);
      offer.accept();
    },
  ],
  'past due though its merchant has ended the request': [
    'a charge is missed by a whole window alone',
    (told, offer) => {
      offer.accept();
      told.pass(400);
      offer.endCharge(810);
      told.pass(100);
      offer.show('past_due');
    },
  ],
  'past due though it is paid': [
    'a paid charge ends that a subscription is past due',
    (told, offer) => {
      offer.accept();
      offer.paidAtRest(810);
      offer.show('past_due');
      told.missing();
    },
  ],
  'an offer that is refused': [
    'a valid request is not refused',
    (told) => refuseOffer(told, told.now + 60_000),
  ],
  'a wrong due date': [
    'next_charge_at is a due date',
    (told, offer) => offer.wallet('accept', 'active', told.iso(told.now + 86_400_000)),
  ],
  'no charge': [
    'a due date opens a charge',
    (told, offer) => {
      offer.accept();
      told.pass(600);
      told.rest();
      offer.charges();
      told.missing();
    },
  ],
  'two charges at once': [
    'a charge has one open request at most',
    (told, offer) => {
      offer.accept();
      offer.charges(810, 811);
      told.missing();
    },
  ],
  'a charge after it was revoked': [
    'revoking stops all future charges',
    (told, offer) => {
      offer.accept();
      offer.wallet('revoke', 'revoked', null);
      told.pass(600);
      offer.charges(810);
      told.missing();
    },
  ],
  'active again after it was revoked': [
    'the order of a subscription’s statuses',
    (told, offer) => {
      offer.accept();
      offer.wallet('revoke', 'revoked', null);
      told.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, {
        ...offer.record,
        status: 'active',
      });
    },
  ],
};

describe('subscriptions of the model', () => {
  it('knows calendar dates', () => {
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

  it('takes an offer that is accepted and charged', () => {
    const told = new ToldHistory();
    const offer = new Offer(told);
    offer.accept();
    offer.charges(810);
    told.refuse('POST', `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`, {}, 400, 'validation_failed');
    told.refuse(
      'POST',
      `/v1/wallets/v1/subscriptions/${uuid(800)}/accept`,
      { wallet_external_id: 'w2' },
      409,
      'state_conflict',
    );
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes it that an offer stands from its creation on, of which a repetition is told minutes later', () => {
    const told = new ToldHistory();
    const key = { idempotencyKey: 'k' };
    const path = `/v1/pos/${POS}/subscription`;
    const terms = { amount: '10', unique_asset_id: ASSET, interval: 'P1M' };
    const created = { ...new Offer(new ToldHistory()).record, created_at: told.iso() };
    const data = { ...created, expires_at: told.iso(told.now + 86_400_000) };
    told.answer('POST', path, terms, 'lost', key);
    told.pass(300);
    const headers = { 'idempotency-replayed': 'true' };
    told.answer('POST', path, terms, { status: 200, headers, body: { status: 'success', data } }, key);
    expect(told.found).toEqual([]);
  });

  it('takes it that a charge is missed after its merchant has ended its first request', () => {
    const told = new ToldHistory();
    const offer = new Offer(told);
    offer.accept();
    told.pass(400);
    offer.endCharge(810);
    told.pass(500);
    offer.show('past_due');
    expect(told.found).toEqual([]);
  });

  it('takes it that a charge is missed after its first request was ended without an answer', () => {
    const told = new ToldHistory();
    const offer = new Offer(told);
    offer.accept();
    told.pass(100);
    offer.charges(810);
    const ended = told.now + 5;
    told.answer('POST', expirePath(810), undefined, 'lost');
    told.pass(300);
    offer.endCharge(810, ended);
    told.pass(250);
    offer.show('past_due');
    expect(told.found).toEqual([]);
  });

  it('takes it that a paid subscription is active', () => {
    const told = new ToldHistory();
    const offer = new Offer(told);
    offer.accept();
    offer.paidAtRest(810);
    offer.show('active');
    told.missing();
    expect(told.found.map(({ rule }) => rule)).not.toContain(
      'a paid charge ends that a subscription is past due',
    );
  });

  it('takes it that a payer revokes at the page of a subscription', () => {
    const told = new ToldHistory();
    const offer = new Offer(told, told.iso(told.now + 60_000));
    offer.wallet('accept', 'active', told.iso(told.now + 59_989));
    const answer = { status: 303, headers: {}, body: '' };
    told.answer('POST', '/subscription/code1/revoke', undefined, answer, { keyId: null });
    told.call('GET', `/v1/pos/${POS}/subscription/${uuid(800)}`, undefined, {
      ...offer.record,
      status: 'revoked',
      wallet_external_id: 'w1',
    });
    told.rest();
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes it that nothing is charged in an asset that is no option any more', () => {
    const told = new ToldHistory();
    const offer = new Offer(told, told.iso(told.now + 60_000));
    offer.wallet('accept', 'active', told.iso(told.now + 59_989));
    pos(told, 'online', [COIN]);
    told.pass(600);
    told.rest();
    offer.charges();
    told.missing();
    expect(told.found).toEqual([]);
  });

  it('takes it that an offer is refused which is over', () => {
    const told = new ToldHistory();
    refuseOffer(told, told.now);
    expect(told.found).toEqual([]);
  });

  finds(WRONG, (told) => new Offer(told));
});
