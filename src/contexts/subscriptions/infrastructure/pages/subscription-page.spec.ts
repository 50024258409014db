import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { FIRST_WINDOW_BYTES, visible, compressedSizes } from '#shared/web/testing/visible-text.js';
import {
  type DisplayedCharge,
  SUBSCRIPTION_MESSAGES,
  type SubscriptionPageModel,
} from './subscription-page-model.js';
import { renderRevokePage } from './revoke-page.js';
import { renderSubscriptionPage } from './subscription-page.js';

const CODE = 'Zr0t8pJ5cVd2mQw7LxK1Ag';
const offered: SubscriptionPageModel = {
  ...{ code: CODE, merchant: 'Corner Coffee', status: 'pending' },
  ...{ amount: '12.5', symbol: 'USDC', assetName: 'USD Coin', networkName: 'Polygon', interval: 'P1M' },
  offeredUntil: new Date('2027-05-03T09:00:00Z'),
  now: new Date('2027-05-02T09:30:00Z'),
  ...{ sandbox: true, description: 'Beans for your office' },
  ...{ charges: [], page: 1, pages: 0 },
};

/** Creates paid charges on the last days of months, newest first. */
const paidCharges = (count: number): DisplayedCharge[] =>
  Array.from({ length: count }, (_, n) => {
    const dueAt = new Date(Date.UTC(2027, 3 - n, 0, 10));
    return { dueAt, status: 'paid', missed: false, paidAt: new Date(dueAt.getTime() + 60_000) };
  });
const toPay = {
  dueAt: new Date('2027-04-30T10:00:00Z'),
  until: new Date('2027-05-31T10:00:00Z'),
  refused: false,
};
const open: DisplayedCharge = { dueAt: toPay.dueAt, status: 'open', missed: false };
const overdue: DisplayedCharge = { ...open, missed: true };
const active: SubscriptionPageModel = {
  ...offered,
  status: 'active',
  ...{ acceptedAt: new Date('2027-01-31T10:00:00Z'), firstDueAt: new Date('2027-01-31T10:00:00Z') },
  nextAt: new Date('2027-05-31T10:00:00Z'),
  ...{ charges: paidCharges(4), pages: 1 },
};
const revoked = (
  by: NonNullable<SubscriptionPageModel['revokedBy']>,
  charges = active.charges,
): SubscriptionPageModel => {
  const { nextAt: _, ...model } = active;
  return { ...model, status: 'revoked', revokedBy: by, charges };
};

const text = SUBSCRIPTION_MESSAGES.en;
const STATES: Record<string, [SubscriptionPageModel, ...string[]]> = {
  offered: [offered, text.offered, text.firstCharge, text.whenAccepted, text.noCharges],
  'offered with a trial': [
    {
      ...offered,
      interval: 'P1Y',
      freeUntil: new Date('2027-06-02T09:00:00Z'),
      endsAt: new Date('2030-06-02'),
    },
    ...[text.freeUntil, text.ends, text.every.P1Y, 'First chargeJune 2, 2027'],
  ],
  'offered with a trial that has ended': [
    {
      ...offered,
      ...{ freeUntil: new Date('2020-06-02T09:00:00Z'), nextAt: new Date('2020-06-02T09:00:00Z') },
    },
    `${text.firstCharge}${text.whenAccepted}`,
  ],
  free: [
    { ...active, freeUntil: new Date('2027-06-02T09:00:00Z'), charges: [] },
    ...[text.freeNow('').trim(), text.nextCharge, text.acceptedOn],
  ],
  active: [active, 'First chargeJanuary 31, 2027', text.active, text.activeNote, text.nextCharge],
  payable: [{ ...active, toPay, charges: [open] }, text.toPay, text.payableUntil, text.open],
  'payable, but not opened': [
    { ...active, toPay: { ...toPay, refused: true }, charges: [open] },
    ...[text.toPay, text.refused],
  ],
  'past due': [
    { ...active, status: 'past_due', toPay, charges: [overdue, ...paidCharges(1)] },
    ...[text.pastDue, text.pastDueNote, text.overdue],
    ...['April 30, 202712.50 USDCOverdue', 'March 31, 202712.50 USDCPaid on March 31, 2027'],
  ],
  'past due with nothing to pay': [
    { ...active, status: 'past_due', charges: [{ ...overdue, status: 'unpaid' }] },
    ...[text.pastDue, text.pastDueLater, 'April 30, 202712.50 USDCNot paid'],
  ],
  completed: [{ ...active, status: 'completed' }, text.completed, text.completedNote, text.nothingMore],
  expired: [{ ...offered, status: 'expired' }, text.expired, text.expiredNote('Corner Coffee')],
  'revoked by the merchant': [revoked('merchant'), text.revoked, text.revokedBy.merchant('Corner Coffee')],
  'revoked by the wallet': [revoked('wallet', [open]), text.revokedBy.wallet(''), text.openRunsOut],
  'revoked by the payer': [revoked('payer'), text.revokedBy.payer('')],
  'revoked unpaid': [revoked('unpaid'), text.revokedBy.unpaid('')],
  'second page': [{ ...active, page: 2, pages: 3 }, text.older, text.newer],
};

describe('The page of a subscription', () => {
  it.each(Object.entries(STATES))('shows the agreed terms and the state: %s', (_, [model, ...words]) => {
    const agreed = [
      'Corner Coffee',
      '12.50 USDC',
      'USD Coin',
      'Polygon',
      ...[text.every[model.interval], text.agreed, 'Beans for your office', 'Sandbox'],
    ];
    const page = visible(renderSubscriptionPage(model, 'en'));

    for (const sentence of [...agreed, ...words]) expect(page).toContain(sentence);
  });

  it('has a button to pay if a charge is payable, and a link to revoke until it is over', () => {
    const statesWith = (part: string) =>
      Object.keys(STATES).filter((state) => renderSubscriptionPage(STATES[state]![0], 'en').includes(part));

    expect(statesWith(`<form method="post" action="/subscription/${CODE}/pay">`)).toEqual([
      ...['payable', 'payable, but not opened', 'past due'],
    ]);
    expect(statesWith(`href="/subscription/${CODE}/revoke"`)).toEqual(
      Object.keys(STATES).filter((state) => !/^(?:completed|expired|revoked)/.test(state)),
    );
  });

  it('explains a failed request and an open payment only if there is one', () => {
    const page = (state: string) => visible(renderSubscriptionPage(STATES[state]![0], 'en'));

    expect(page('payable')).not.toContain(text.refused);
    expect(page('revoked by the payer')).not.toContain(text.openRunsOut);
  });

  it('asks for a confirmation before it revokes, in every language', () => {
    for (const language of PAGE_LANGUAGES) {
      const html = renderRevokePage(active, language);
      const { revokeTitle, revokeStops, revokeOpen, revokePermanently, every } =
        SUBSCRIPTION_MESSAGES[language];

      expect(html).toContain(`<form method="post" action="/subscription/${CODE}/revoke">`);
      expect(html).toContain(`href="/subscription/${CODE}"`);
      const stops = revokeStops(language === 'en' ? '12.50 USDC' : '12,50 USDC', every.P1M);
      for (const sentence of [revokeTitle('Corner Coffee'), stops, revokeOpen, revokePermanently])
        expect(visible(html)).toContain(sentence);
    }
  });

  it('needs at most a quarter of the first window of a connection for twelve charges', () => {
    const full = { ...STATES['past due']![0], charges: paidCharges(12), page: 2, pages: 3 };

    for (const weight of compressedSizes(renderSubscriptionPage(full, 'pt')))
      expect(weight).toBeLessThanOrEqual(FIRST_WINDOW_BYTES / 4);
  });

  it('contains no script, links only below its own path, and isolates text directions', () => {
    const name =
      '</title></script><img src=x onerror=alert(1)>"\'><a href="javascript:alert(1)">\u202Eevil\u2069';
    const hostile: SubscriptionPageModel = {
      ...{ ...STATES['payable']![0], page: 2, pages: 3, code: name },
      ...{ merchant: name, symbol: name, assetName: name, networkName: name },
    };
    const pages = [
      ...Object.values(STATES).map(([model]) => renderSubscriptionPage(model, 'en')),
      renderSubscriptionPage(hostile, 'en'),
      renderSubscriptionPage({ ...hostile, status: 'revoked', revokedBy: 'merchant' }, 'es'),
      renderSubscriptionPage({ ...hostile, status: 'expired' }, 'pt'),
      renderRevokePage(hostile, 'en'),
    ];

    for (const html of pages) {
      expect(html).not.toMatch(/<script|<img|\sstyle="|\son[a-z]+="|[\u202a-\u202e]/);
      expect(html.match(/<style/g)).toHaveLength(1);
      for (const [, url] of html.matchAll(/\s(?:href|src|action)="([^"]*)"/g))
        expect(url).toMatch(
          /^(?:data:,|\?lang=\w\w|\/subscription\/[^/?]+(?:\/pay|\/revoke|\?page=\d+#charges)?)$/,
        );
      expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
    }
  });
});
