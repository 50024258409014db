import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { FIRST_WINDOW, weights, visible } from '#shared/web/testing/visible-text.js';
import type { SubscriptionTexts } from './messages/subscription-texts.js';
import { SUBSCRIPTION_MESSAGES } from './page-words.js';
import type { SubscriptionPageModel } from './subscription-page-model.js';
import { renderRevokePage, renderSubscriptionPage } from './subscription-page.js';
import { CODE, EVERY_SUBSCRIPTION, paidCharges } from './testing/sample-subscriptions.js';

type State = keyof typeof EVERY_SUBSCRIPTION;

const PAY = `<form method="post" action="/subscription/${CODE}/pay">`;
const REVOKE = `href="/subscription/${CODE}/revoke"`;
const CAN_PAY: readonly State[] = [
  'active with a charge to pay',
  'active with a charge that cannot be opened',
  'past due',
];
const OVER = /^(?:completed|expired|revoked)/;

function shown(state: State, language: (typeof PAGE_LANGUAGES)[number] = 'en'): string {
  return visible(renderSubscriptionPage(EVERY_SUBSCRIPTION[state], language));
}

describe.each(PAGE_LANGUAGES)('The payer’s page of a subscription, in %s,', (language) => {
  const text = SUBSCRIPTION_MESSAGES[language];
  const expected: Record<State, (text: SubscriptionTexts) => string[]> = {
    offered: () => [text.offered, text.firstPayment, text.whenAccepted, text.noPayments],
    'offered with a trial': () => [
      text.offered,
      text.firstPayment,
      text.freeUntil,
      text.ends,
      text.every.P1Y,
    ],
    free: () => [text.freeNow('').trim(), text.nextPayment, text.acceptedOn],
    active: () => [text.active, text.activeNote, text.nextPayment],
    'active with a charge to pay': () => [text.active, text.toPay, text.payableUntil, text.open],
    'active with a charge that cannot be opened': () => [text.toPay, text.refused],
    'active without a date that follows': () => [text.active, text.noneFollows, text.ends],
    'past due': () => [text.pastDue, text.pastDueNote, text.toPay, text.overdue],
    'past due with nothing to pay': () => [text.pastDue, text.pastDueLater, text.unpaid],
    completed: () => [text.completed, text.completedNote, text.nothingMore],
    expired: () => [text.expired, text.expiredNote('Corner Coffee')],
    'revoked by the merchant': () => [
      text.revoked,
      text.revokedBy.merchant('Corner Coffee'),
      text.nothingMore,
    ],
    'revoked by the wallet': () => [text.revokedBy.wallet(''), text.openRunsOut],
    'revoked by the payer': () => [text.revokedBy.payer('')],
    'revoked unpaid': () => [text.revokedBy.unpaid(''), text.unpaid],
    'on its second page of charges': () => [text.older, text.newer],
  };

  it.each(Object.keys(expected) as State[])('says what is agreed and where it stands: %s', (state) => {
    const { interval } = EVERY_SUBSCRIPTION[state];
    const agreed = ['Corner Coffee', '12.5 USDC', 'USD Coin', 'Polygon', text.every[interval], text.agreed];

    const page = shown(state, language);

    for (const words of [...agreed, ...expected[state](text)]) expect(page).toContain(words);
  });

  it('asks once more before it revokes, and says what that stops', () => {
    const html = renderRevokePage(EVERY_SUBSCRIPTION.active, language);

    expect(html).toContain(`<form method="post" action="/subscription/${CODE}/revoke">`);
    expect(html).toContain(`href="/subscription/${CODE}"`);
    const { revokeTitle, revokeStops, revokeOpen, revokeForGood } = text;
    for (const words of [
      ...[revokeTitle('Corner Coffee'), revokeStops('12.5 USDC', text.every.P1M), revokeOpen, revokeForGood],
    ])
      expect(visible(html)).toContain(words);
  });
});

describe('The payer’s page of a subscription', () => {
  it('has a button to pay only where there is something to pay', () => {
    const states = Object.keys(EVERY_SUBSCRIPTION) as State[];

    const payable = states.filter((state) =>
      renderSubscriptionPage(EVERY_SUBSCRIPTION[state], 'en').includes(PAY),
    );

    expect(payable).toEqual(CAN_PAY);
  });

  it('leads to the question of revoking until it is over', () => {
    for (const [state, model] of Object.entries(EVERY_SUBSCRIPTION)) {
      expect([state, renderSubscriptionPage(model, 'en').includes(REVOKE)]).toEqual([
        state,
        !OVER.test(state),
      ]);
    }
  });

  it('says of a payment that could not be opened that it may work later, and only of such a one', () => {
    const { refused } = SUBSCRIPTION_MESSAGES.en;

    expect(shown('active with a charge that cannot be opened')).toContain(refused);
    expect(shown('active with a charge to pay')).not.toContain(refused);
  });

  it('says that an open payment runs out only where one is open', () => {
    const { openRunsOut } = SUBSCRIPTION_MESSAGES.en;

    expect(shown('revoked by the payer')).not.toContain(openRunsOut);
    expect(shown('revoked by the wallet')).toContain(openRunsOut);
  });

  it('says of each charge when it was due, how much it was and what became of it', () => {
    expect(shown('past due')).toContain('April 30, 202712.5 USDCOverdue');
    expect(shown('past due')).toContain('March 31, 202712.5 USDCPaid on March 31, 2027');
    expect(shown('revoked unpaid')).toContain('April 30, 202712.5 USDCNot paid');
  });

  it.each([
    [1, 3, [2]],
    [2, 3, [1, 3]],
    [3, 3, [2]],
    [9, 3, [3]],
    [1, 1, []],
  ])('on page %i of %i has links to the pages %j', (page, pages, links) => {
    const html = renderSubscriptionPage({ ...EVERY_SUBSCRIPTION.active, page, pages }, 'en');

    const linked = [...html.matchAll(/href="\/subscription\/[^"?]+\?page=(\d+)#payments"/g)].map(([, to]) =>
      Number(to),
    );

    expect(linked).toEqual(links);
  });

  it('shows an amount with all its digits', () => {
    const amount = '115792089237316195423570985008687907853269984665640564039457.584007913129639935';

    const html = renderSubscriptionPage({ ...EVERY_SUBSCRIPTION.active, amount }, 'en');

    expect(visible(html)).toContain(amount);
  });
});

const HOSTILE =
  '</title></script><img src=x onerror=alert(1)>"\'><a href="javascript:alert(1)">\u202Eevil\u2069';

const hostile: SubscriptionPageModel = {
  ...EVERY_SUBSCRIPTION['active with a charge to pay'],
  code: HOSTILE,
  ...{ merchant: HOSTILE, symbol: HOSTILE, assetName: HOSTILE, networkName: HOSTILE },
  ...{ page: 2, pages: 3 },
};

const rendered: [string, string][] = [
  ...Object.entries(EVERY_SUBSCRIPTION).map(([state, model]): [string, string] => [
    state,
    renderSubscriptionPage(model, 'en'),
  ]),
  ...PAGE_LANGUAGES.flatMap((language): [string, string][] => [
    [`hostile, in ${language}`, renderSubscriptionPage(hostile, language)],
    [
      `hostile and revoked, in ${language}`,
      renderSubscriptionPage({ ...hostile, status: 'revoked', revokedBy: 'merchant' }, language),
    ],
    [
      `hostile and expired, in ${language}`,
      renderSubscriptionPage({ ...hostile, status: 'expired' }, language),
    ],
    [`hostile, before it is revoked, in ${language}`, renderRevokePage(hostile, language)],
  ]),
];

describe.each(rendered)('What the page contains: %s', (_, html) => {
  it('runs nothing, and links only below its own path', () => {
    expect(html).not.toMatch(/<script|<img|\sstyle="|\son[a-z]+="/);
    expect(html.match(/<style/g)).toHaveLength(1);
    for (const [, url] of html.matchAll(/\s(?:href|src|action)="([^"]*)"/g))
      expect(url).toMatch(/^(?:data:,|\/subscription\/[^/?]+(?:\/pay|\/revoke|\?page=\d+#payments)?)$/);
  });

  it('is read in the direction it was written', () => {
    expect(html).not.toMatch(/[\u202a-\u202e]/);
    expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
  });
});

describe('The first window of a connection', () => {
  it('holds all of a page with twelve charges four times over', () => {
    const full = { ...EVERY_SUBSCRIPTION['past due'], charges: paidCharges(12), page: 2, pages: 3 };

    for (const weight of weights(renderSubscriptionPage(full, 'pt'))) {
      expect(weight).toBeLessThanOrEqual(FIRST_WINDOW / 4);
    }
  });
});
