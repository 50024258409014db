import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { EVERY_PAGE, pendingPage, SELECTED, selectedPage } from './testing/sample-pages.js';
import { qrImage } from '#shared/web/qr/qr-code.js';
import { visible } from '#shared/web/testing/visible-text.js';

const STATUS: Record<string, (text: Messages) => string> = {
  pending: (text) => text.choose,
  'pending, code first': (text) => text.codeChooseNote,
  created: (text) => text.waiting,
  'created, code first': (text) => text.codeNote,
  'created in the sandbox': (text) => text.sandboxWallet,
  'paid in another asset': (text) => text.otherAsset('25 EURC', 'Ethereum', 'Corner Coffee'),
  'partly paid': (text) => text.partlyPaid,
  confirming: (text) => text.confirmations(2, 5),
  closed: (text) => text.closedNote,
  'closed, partly paid': (text) => text.closedNote,
  completed: (text) => text.completedNote('Corner Coffee'),
  'completed by a link': (text) => text.payAgain,
  underpaid: (text) => text.underpaidNote('Corner Coffee'),
  'underpaid, accepted': (text) => text.acceptedNote('Corner Coffee'),
  overpaid: (text) => text.overpaidNote('2.817181 USDC', 'Corner Coffee'),
  'overpaid and refunded': (text) => text.refundOnItsWay,
  expired: (text) => text.expiredNote('Corner Coffee'),
  'expired by a link, nothing chosen': (text) => text.startAgain,
  failed: (text) => text.failedNote('Corner Coffee'),
  'created in bitcoin': (text) => text.anyWallet,
  'unconfirmed in bitcoin': (text) => text.unconfirmedNote('Corner Coffee'),
};

const everyPage = Object.entries(EVERY_PAGE).flatMap(([state, model]) =>
  PAGE_LANGUAGES.map((language) => [state, language, model] as const),
);

describe.each(everyPage)('The page that is %s, in %s', (state, language, model) => {
  const html = renderCheckoutPage(model, language);
  const price = { en: '€25.00', es: '25,00 €', pt: '€ 25,00' }[language];

  it('says in its language where the payment stands, for whom, how much and for what', () => {
    const shown = visible(html);

    expect(html).toMatch(new RegExp(`^<!doctype html><html lang="${language}">`));
    for (const fact of [STATUS[state]!(MESSAGES[language]), 'Corner Coffee', price, 'Cheesecake']) {
      expect(shown).toContain(fact);
    }
    if (model.selected) expect(shown).toContain(`${model.selected.amount} ${model.selected.symbol}`);
  });
});

describe('A payer who has chosen', () => {
  const html = renderCheckoutPage(EVERY_PAGE.created!, 'en');
  const shown = visible(html);

  it('is warned of the wrong asset and network beside the address', () => {
    const warning =
      'Send only USDC on Ethereum to this address. Anything else does not count as this payment.';

    expect(shown.split(warning)).toHaveLength(2);
  });

  it('can scan the address alone, which every wallet understands, and copy it, the amount and the network', () => {
    const [, code] = html.match(/<img src="([^"]*)"[^>]*alt="QR code of the address on/)!;

    expect(code).toBe(qrImage(SELECTED.address)!.source);
    expect(html.match(/data-copy="(address|amount|network)"/g)).toHaveLength(3);
    expect(shown).toContain('Current network fee: about €0.21.');
  });

  it('can scan the token, open a wallet with it, or open the transfer in a wallet', () => {
    expect(html.match(/<img /g)).toHaveLength(2);
    expect(html).toContain('href="https://wallet.example/pay?naspip_token=v4.public.');
    expect(html).toContain('href="pocket://pay?naspip_token=v4.public.');
    expect(html).toContain(`href="${SELECTED.transferUri!.replace('&', '&amp;')}"`);
    expect(shown).toContain(SELECTED.address);
  });

  it('copies the address where wallets of the network know no link', () => {
    const page = renderCheckoutPage(selectedPage('created', { transferUri: undefined }), 'en');

    expect(page).not.toContain('ethereum:');
    expect(page).not.toContain('id="open-uri"');
    expect(visible(page)).toContain(SELECTED.address);
  });

  it('can choose another until a payment is seen', () => {
    const tooLate = renderCheckoutPage(selectedPage('created', { mayChange: false }), 'en');

    expect(html).toContain('name="unique_asset_id"');
    expect(tooLate).not.toContain('name="unique_asset_id"');
  });

  it('copies the token where it is too long for a code', () => {
    const long = renderCheckoutPage(selectedPage('created', {}, { token: 'x'.repeat(2901) }), 'en');

    expect(long).toContain('alt="QR code of the address on');
    expect(long).not.toContain('alt="QR code to pay');
    expect(long).toContain('data-copy="token"');
  });
});

describe('A payer who has paid a part', () => {
  const html = renderCheckoutPage(EVERY_PAGE['partly paid']!, 'en');

  it('is asked for exactly the rest, and the token leads wallets there', () => {
    expect(visible(html)).toContain('Remaining16.682819 USDC');
    expect(html).toContain('uint256=16682819"');
    expect(html).toContain('naspip_token');
    expect(html).toContain('alt="QR code to pay 16.682819\u00a0USDC with your wallet"');
    expect(html.split('Send exactly this amount.')).toHaveLength(2);
  });
});

describe('The ways to pay', () => {
  const opened = (state: string): string[] =>
    [
      ...renderCheckoutPage(EVERY_PAGE[state]!, 'en').matchAll(/<div class="way" id="way-(\w+)"(?! hidden)/g),
    ].map(([, way]) => way!);
  const html = renderCheckoutPage(EVERY_PAGE['created, code first']!, 'en');

  it('have one open, which is the merchant’s first or the one that the page was asked for', () => {
    expect(opened('pending')).toEqual(['address']);
    expect(opened('pending, code first')).toEqual(['code']);
    expect(opened('created')).toEqual(['address']);
    expect(opened('created, code first')).toEqual(['code']);
  });

  it('are links to each other, of which the open one is marked', () => {
    expect(html).toMatch(/href="\?pay=address" data-way="address">Any wallet</);
    expect(html).toMatch(/href="\?pay=code" data-way="code" aria-current="true">Payment code</);
  });

  it('stay open over a refresh without script', () => {
    const refresh = (state: string) =>
      /<noscript>.*?href="([^"]*)"/.exec(renderCheckoutPage(EVERY_PAGE[state]!, 'en'))?.[1];

    expect([refresh('created'), refresh('created, code first')]).toEqual(['?pay=address', '?pay=code']);
  });

  it('offer the browser’s own wallet only once a script has found one', () => {
    expect(html).toMatch(/href="\?pay=browser" data-way="browser" hidden>/);
    expect(html).toContain('<div class="way" id="way-browser" hidden>');
    expect(renderCheckoutPage(EVERY_PAGE.pending!, 'en')).not.toContain('pay=browser');
  });
});

describe('Nobody is shown where to pay', () => {
  const shutPages = [
    'confirming',
    'closed',
    'closed, partly paid',
    'completed',
    'underpaid',
    'expired',
    'failed',
  ];

  it.each(shutPages)('on the page that is %s', (state) => {
    const html = renderCheckoutPage(EVERY_PAGE[state]!, 'en');

    expect(html).not.toContain(SELECTED.address);
    expect(html).not.toMatch(/<img|naspip_token|ethereum:|unique_asset_id/);
  });

  it('from the very second the window closes', () => {
    const at = (now: Date): string => renderCheckoutPage({ ...EVERY_PAGE.created!, now }, 'en');
    const { expiresAt } = EVERY_PAGE.created!;

    expect(at(new Date(expiresAt.getTime() - 1))).toContain(SELECTED.address);
    expect(at(expiresAt)).not.toContain(SELECTED.address);
  });
});

describe('The choice', () => {
  const html = renderCheckoutPage(EVERY_PAGE.pending!, 'en');

  it('is one button an option, posted to the page’s own address', () => {
    expect(html).toContain('<form method="post" class="options">');
    expect(html.match(/name="unique_asset_id"/g)).toHaveLength(3);
  });

  it('disables what has no rate, and says so', () => {
    const [, button] = html.match(/(<button[^>]*nerc20_t0x1abaea[^>]*>)/)!;

    expect(button).toContain('disabled');
    expect(visible(html)).toContain('EURC on Ethereum No exchange rate right now');
  });

  it('says what the network charges, roughly, where that is known', () => {
    const shown = visible(html);

    expect(shown).toContain('USDC on Ethereum 27.182819 USDCnetwork fee about €0.21');
    expect(shown).toContain('USDC on Polygon 27.182819 USDCnetwork fee less than €0.01');
    expect(shown.match(/network fee/g)).toHaveLength(2);
  });

  it('shows the token’s code too', () => {
    expect(html).toContain('alt="QR code to pay €25.00 with your wallet"');
  });
});

describe.each(PAGE_LANGUAGES)('In %s', (language) => {
  it('a payer reads exactly how much to send, and what happens then', () => {
    const shown = visible(renderCheckoutPage(EVERY_PAGE.created!, language));
    const { exactly, waitingNote } = MESSAGES[language];
    const minute = { en: 'about 1 minute', es: 'alrededor de 1 minuto', pt: 'cerca de 1 minuto' }[language];

    expect(shown.split(exactly)).toHaveLength(2);
    expect(shown).toContain(waitingNote(minute));
  });
});

describe('The sandbox’s wallet', () => {
  it('is there only in the sandbox, with four ways to pay', () => {
    const html = renderCheckoutPage(EVERY_PAGE['created in the sandbox']!, 'en');

    expect(html).toContain('action="/checkout/Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3/sandbox-payment?pay=address"');
    expect([...html.matchAll(/name="how" value="(\w+)"/g)].map(([, how]) => how)).toEqual([
      'exact',
      'less',
      'more',
      'late',
    ]);
    expect(renderCheckoutPage(pendingPage(), 'en')).not.toContain('sandbox-payment');
    expect(renderCheckoutPage(EVERY_PAGE.created!, 'en')).not.toContain('sandbox-payment');
  });
});
