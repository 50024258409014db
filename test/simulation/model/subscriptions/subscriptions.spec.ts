import { describe, expect, it } from '@jest/globals';
import { pos } from '../told-checkouts.js';
import { ASSET, COIN, POS, ToldHistory, uuid } from '../told-history.js';
import { ToldRequest } from '../told-requests.js';
import { dueDate } from './calendar.js';

type Tale = (told: ToldHistory, offer: Offer) => void;

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

  charges(...numbers: number[]): void {
    const { told } = this;
    const items = numbers.map((number) => {
      const other = new ToldHistory();
      other.now = told.now;
      return new ToldRequest(other, number, { reference_id: uuid(800) }).created;
    });
    const data = { data: items, total: items.length, page: 1, page_size: 50, total_pages: 1 };
    told.call('GET', `/v1/pos/${POS}/payment-request`, undefined, data);
  }
}

function refuseOffer(told: ToldHistory, until: number): void {
  const body = { amount: '10', unique_asset_id: ASSET, interval: 'P1M', expires_at: told.iso(until) };
  told.refuse('POST', `/v1/pos/${POS}/subscription`, body, 400, 'validation_failed');
}

function missing(told: ToldHistory): void {
  told.found.push(...told.model.missing());
}

const WRONG: Record<string, readonly [string, Tale]> = {
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
      missing(told);
    },
  ],
  'two charges at once': [
    'a charge has one open request at most',
    (told, offer) => {
      offer.accept();
      offer.charges(810, 811);
      missing(told);
    },
  ],
  'a charge after it was revoked': [
    'revoking stops all future charges',
    (told, offer) => {
      offer.accept();
      offer.wallet('revoke', 'revoked', null);
      told.pass(600);
      offer.charges(810);
      missing(told);
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
    missing(told);
    expect(told.found).toEqual([]);
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
    missing(told);
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
    missing(told);
    expect(told.found).toEqual([]);
  });

  it('takes it that an offer is refused which is over', () => {
    const told = new ToldHistory();
    refuseOffer(told, told.now);
    expect(told.found).toEqual([]);
  });

  it.each(Object.entries(WRONG))('finds: %s', (_, [rule, tale]) => {
    const told = new ToldHistory();
    tale(told, new Offer(told));
    expect(told.wrong()).toContain(rule);
  });
});
