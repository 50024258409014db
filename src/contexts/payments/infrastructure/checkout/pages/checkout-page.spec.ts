import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { pageBranding } from '#shared/web/branding/page-branding.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { cachedQrImage } from '#shared/web/parts/qr-code.js';
import { FIRST_WINDOW_BYTES, visible, compressedSizes } from '#shared/web/testing/visible-text.js';
import type { CheckoutPageModel, PagePaymentOption } from './checkout-page-model.js';
import { renderCheckoutPage } from './checkout-page.js';
import { PAYER_PAGE_MESSAGES, type PayerPageMessages } from './checkout-page-props.js';
import { PAYER_PAGE_ASSETS } from './page-assets.js';
import {
  BITCOIN,
  EVERY_PAGE,
  pendingPage,
  sampleToken,
  SELECTED,
  selectedPage,
  USDC,
} from '#contexts/payments/testing/checkout/sample-pages.js';

const rendered = (state: string) => renderCheckoutPage(EVERY_PAGE[state]!, 'en');
const text = (state: string) => visible(rendered(state));

/** An amount as written in a language. */
const written = (amount: string, language: string) => (language === 'en' ? amount : amount.replace('.', ','));

const STATUS: Record<string, (text: PayerPageMessages, language: string) => string> = {
  pending: (text) => text.choose,
  'pending, code first': (text) => text.codeChooseNote,
  created: (text) => text.waiting,
  'created, code first': (text) => text.codeNote,
  'created in the sandbox': (text) => text.sandboxWallet,
  'paid in another asset': (text, language) => text.otherAsset(written('25.00 EURC', language), 'Ethereum'),
  'partly paid': (text) => text.partlyPaid,
  confirming: (text) => text.confirmations(2, 5),
  closed: (text) => text.closedNote,
  'closed, partly paid': (text) => text.closedNote,
  completed: (text) => text.completedNote('Corner Coffee'),
  'completed by a link': (text) => text.payAgain,
  underpaid: (text) => text.underpaidNote('Corner Coffee'),
  'underpaid, accepted': (text) => text.acceptedNote('Corner Coffee'),
  overpaid: (text, language) => text.overpaidNote(written('2.817181 USDC', language), 'Corner Coffee'),
  'overpaid and refunded': (text) => text.refundOnItsWay,
  expired: (text) => text.expiredNote('Corner Coffee'),
  'expired by a link, nothing chosen': (text) => text.startAgain,
  failed: (text) => text.failedNote('Corner Coffee'),
  'created in bitcoin': (text) => text.openWallet,
  'unconfirmed in bitcoin': (text) => text.unconfirmedNote('Corner Coffee'),
};

const everyPage = Object.entries(EVERY_PAGE).flatMap(([state, model]) =>
  PAGE_LANGUAGES.map((language) => [state, language, model] as const),
);

describe('The checkout page', () => {
  it.each(everyPage)('shows merchant, price, items and the state: %s in %s', (state, language, model) => {
    const html = renderCheckoutPage(model, language);
    const price = { en: '€25.00', es: '25,00 €', pt: '€ 25,00' }[language];
    const shown = visible(html);

    expect(html).toMatch(new RegExp(`^<!doctype html><html lang="${language}">`));
    for (const fact of [
      STATUS[state]!(PAYER_PAGE_MESSAGES[language], language),
      'Corner Coffee',
      price,
      'Cheesecake',
    ])
      expect(shown).toContain(fact);
    if (model.selected)
      expect(shown).toContain(written(`${model.selected.amount} ${model.selected.symbol}`, language));
  });

  it.each(['confirming', 'closed', 'closed, partly paid', 'completed', 'underpaid', 'expired', 'failed'])(
    'does not show where to pay once nothing is to pay: %s',
    (state) => {
      expect(rendered(state)).not.toContain(SELECTED.address);
      expect(rendered(state)).not.toMatch(/<img|naspip_token|ethereum:|unique_asset_id/);
    },
  );

  it('hides the address from the very moment the window closes', () => {
    const at = (now: Date): string => renderCheckoutPage({ ...EVERY_PAGE.created!, now }, 'en');
    const { expiresAt } = EVERY_PAGE.created!;

    expect(at(new Date(expiresAt.getTime() - 1))).toContain(SELECTED.address);
    expect(at(expiresAt)).not.toContain(SELECTED.address);
  });

  it('offers the sandbox wallet only in the sandbox', () => {
    const html = rendered('created in the sandbox');

    expect(html).toContain('action="/checkout/Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3/sandbox-payment?pay=address"');
    expect([...html.matchAll(/name="how" value="(\w+)"/g)].map(([, how]) => how)).toEqual([
      ...['exact', 'less', 'more', 'late'],
    ]);
    for (const state of ['pending', 'created']) expect(rendered(state)).not.toContain('sandbox-payment');
  });
});

describe('The choice of an asset', () => {
  const html = rendered('pending');

  it('is a form with one button per option, with network fees that are known', () => {
    const shown = visible(html);

    expect(html).toContain('<form method="post" class="options">');
    expect(html.match(/name="unique_asset_id"/g)).toHaveLength(3);
    expect(html).toContain('alt="QR code to pay €25.00 with your wallet"');
    expect(shown).toMatch(/USDC on Polygon .*USDC on Ethereum/);
    expect(shown).toContain('USDC on Ethereum 27.182819 USDCnetwork fee about €0.21');
    expect(shown).toContain(
      'USDC on Polygon 27.182819 USDCnetwork fee less than €0.01, paid in POLRecommended · Lowest fee',
    );
    expect(shown.match(/network fee/g)).toHaveLength(2);
  });

  it('disables an asset without a rate', () => {
    expect(html.match(/(<button[^>]*nerc20_t0x1abaea[^>]*>)/)![1]).toContain('disabled');
    expect(visible(html)).toContain('EURC on Ethereum No exchange rate right now');
  });
});

describe('The payment by address or code', () => {
  const html = rendered('created');
  const shown = visible(html);

  it('warns once of another asset or network', () => {
    const warning =
      'Send only USDC on Ethereum to this address. Anything else does not count as this payment.';

    expect(shown.split(warning)).toHaveLength(2);
  });

  it('offers the address as code and text, the token as code, and links to wallets', () => {
    const [, code] = html.match(/<img src="([^"]*)"[^>]*alt="QR code of the address on/)!;

    expect(code).toBe(cachedQrImage(SELECTED.address)!.source);
    expect(html.match(/data-copy="(address|amount|network)"/g)).toHaveLength(2);
    expect(shown).toContain('Current network fee: about €0.21. Your wallet needs ETH to pay it.');
    expect(html.match(/<img /g)).toHaveLength(2);
    expect(html).toContain('href="https://wallet.example/pay?naspip_token=v4.public.');
    expect(html).toContain('href="pocket://pay?naspip_token=v4.public.');
    expect(html).toContain(`href="${SELECTED.transferUri!.replace('&', '&amp;')}"`);
  });

  it('offers copying if there is no link of the network or the token is too long for a code', () => {
    const noLink = renderCheckoutPage(selectedPage('created', { transferUri: undefined }), 'en');
    const long = renderCheckoutPage(selectedPage('created', {}, { token: 'x'.repeat(2901) }), 'en');

    expect(noLink).not.toMatch(/ethereum:|id="open-uri"/);
    expect(visible(noLink)).toContain(SELECTED.address);
    expect(long).not.toContain('alt="QR code to pay');
    expect(long).toContain('data-copy="token"');
  });

  it('allows another choice until a payment is seen', () => {
    const tooLate = renderCheckoutPage(selectedPage('created', { mayChange: false }), 'en');

    expect(html).toContain('name="unique_asset_id"');
    expect(tooLate).not.toContain('name="unique_asset_id"');
  });

  it('requests exactly the remainder after a partial payment', () => {
    const partly = rendered('partly paid');

    expect(visible(partly)).toContain('Remaining16.682819 USDC');
    expect(partly).toContain('uint256=16682819"');
    expect(visible(partly)).toContain('Pay the remaining 16.682819 USDC');
    expect(partly).not.toContain('id="open-uri-last"');
    expect(partly).toContain('naspip_token');
    expect(partly).toContain('alt="QR code to pay 16.682819\u00a0USDC with your wallet"');
    expect(partly.split('Send exactly this amount.')).toHaveLength(2);
  });

  it('names what each button copies', () => {
    const button = (id: string) => new RegExp(`id="${id}-copy"[^>]*>(.*?)<`).exec(html)![1];

    expect(['amount', 'address', 'token'].map(button)).toEqual([...['Copy amount', 'Copy address', 'Copy']]);
    expect(html).toContain('aria-labelledby="token-copy token-label"');
  });

  it('writes amounts in the language, and the amount to copy with a point', () => {
    const spanish = renderCheckoutPage(
      selectedPage('created', { amount: '12.5', missingAmount: '12.5' }),
      'es',
    );

    expect(visible(spanish)).toContain('12,50 USDC');
    expect(spanish).toMatch(/id="amount"[^>]*>12\.50</);
  });

  it('places the payment code last, and first only if the merchant or the payer selects it', () => {
    const isFirst = (state: string) =>
      rendered(state).indexOf('id="more"') <
      rendered(state).search(/id="way-address"|<form method="post" class="options">/);

    expect(['pending', 'pending, code first', 'created', 'created, code first'].map(isFirst)).toEqual([
      ...[false, true, false, true],
    ]);
    expect(rendered('created')).toContain('<details id="more" open data-fold="true">');
    expect(rendered('created, code first')).toContain('<details id="more" open data-fold="false">');
  });
});

describe('The payment by a transfer that is seen before its block', () => {
  const html = renderCheckoutPage(EVERY_PAGE['created in bitcoin']!, 'en');
  const seen = visible(renderCheckoutPage(EVERY_PAGE['unconfirmed in bitcoin']!, 'en'));

  it('offers the complete transfer as code and link', () => {
    const [, code] = html.match(/<img src="([^"]*)"[^>]*alt="QR code of address and amount on/)!;

    expect(code).toBe(cachedQrImage(BITCOIN.code)!.source);
    expect(html).toContain(`id="open-uri" href="${BITCOIN.transferUri}"`);
  });

  it('states which transfers count, only on networks that show transfers before their block', () => {
    expect(visible(html)).toContain(
      'A payment detected in time counts if a block includes it within 24 hours; with a low fee, within one hour.',
    );
    expect(text('created')).not.toContain('a block includes it');
  });

  it('is shown as detected, and can be paid again after it has disappeared', () => {
    const gone = renderCheckoutPage(selectedPage('processing', { ...BITCOIN, mayChange: false }), 'en');

    expect(seen).toContain(
      'Payment detectedWaiting for a block0 of 3 confirmationsabout 30 minutes leftPaid',
    );
    expect(seen).not.toContain('Use a normal network fee');
    expect(visible(gone)).toContain('Waiting for your payment');
    expect(gone).toContain(BITCOIN.transferUri);
  });
});

describe('The page after funds in another asset', () => {
  it('states what was received, that it does not count, what to pay and whom to ask', () => {
    const branding = pageBranding({ support: 'help@shop.example' });
    const html = renderCheckoutPage({ ...EVERY_PAGE['paid in another asset']!, branding }, 'en');

    for (const fact of [
      'We received 25.00 EURC on Ethereum. It does not count towards this payment.',
      'To pay, send 27.182819 USDC on Ethereum before time runs out.',
      'To get a refund, contact Corner Coffee and give the payment number.',
      `Payment number${EVERY_PAGE.created!.reference}`,
    ])
      expect(visible(html)).toContain(fact);
    expect(
      html.match(/href="mailto:help@shop\.example\?subject=Payment%20number%20[0-9a-f-]{36}"/g),
    ).toHaveLength(1);
    expect(html).toMatch(/data-news="[^"]*25\.00/);
  });
});

describe('The page after the payment', () => {
  it('has one button to contact the merchant about the payment unless it was paid exactly', () => {
    const branding = pageBranding({ support: 'help@shop.example' });
    const contacts = (name: string) => {
      const html = renderCheckoutPage({ ...EVERY_PAGE[name]!, branding }, 'en');
      return [...html.matchAll(/class="button" href="mailto:help@shop\.example\?subject=([^"]*)"/g)].map(
        ([, s]) => s,
      );
    };

    for (const name of ['underpaid', 'overpaid', 'expired', 'failed'])
      expect([name, contacts(name)]).toEqual([name, [`Payment%20number%20${EVERY_PAGE[name]!.reference}`]]);
    expect(contacts('completed')).toEqual([]);
  });

  it('shows confirmations, the expected time and a link to the transaction', () => {
    const confirming = rendered('confirming');
    const { transactionUrl } = EVERY_PAGE.confirming!.selected!;
    const none = renderCheckoutPage(selectedPage('processing', { transactionUrl: undefined }), 'en');

    expect(visible(confirming)).toContain(
      'Payment detectedConfirming2 of 5 confirmationsabout 40 seconds leftPaid',
    );
    expect(confirming).toContain('<li aria-current="step">');
    expect(confirming).toContain(`href="${transactionUrl}" target="_blank" rel="noopener noreferrer"`);
    expect(none).not.toContain('id="explorer"');
  });

  it('shows a receipt with merchant, order, amount, asset, rate, time and transaction, only if paid', () => {
    const merchant = { name: 'Corner Coffee', tax_id: 'PT 123' };
    const shown = visible(renderCheckoutPage({ ...EVERY_PAGE.completed!, merchant }, 'en'));

    expect(shown).toContain(
      'ReceiptPaid toCorner CoffeeTax numberPT 123ForTable 7Amount€25.00Paid with27.182819 USDC on Ethereum' +
        'Rate1 USDC = €0.91969TimeMarch 1, 2026 at 12:01 UTCPayment number0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    );
    expect(shown).toContain('Transaction0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd');
    for (const state of ['confirming', 'underpaid', 'expired', 'failed', 'closed, partly paid'])
      expect(text(state)).not.toContain('Receipt');
  });

  it('links back to the merchant over HTTPS only', () => {
    const withUrl = (returnUrl?: string): string =>
      renderCheckoutPage(selectedPage('completed', {}, { returnUrl }), 'en');

    expect(withUrl('https://shop.example/thanks?a=1&b=2')).toContain(
      'id="return" href="https://shop.example/thanks?a=1&amp;b=2"',
    );
    expect(withUrl('javascript:alert(1)')).not.toContain('id="return"');
    expect(visible(withUrl(undefined))).toContain('You can close this page.');
  });

  it('links back to the merchant in every state, once', () => {
    for (const [state, model] of Object.entries(EVERY_PAGE)) {
      const links = rendered(state).match(/href="https:\/\/shop\.example\/thanks/g) ?? [];
      expect([state, links.length]).toEqual([state, model.returnUrl === undefined ? 0 : 1]);
    }
  });

  it('shows the excess, completed refunds and pending refunds', () => {
    const shown = text('overpaid and refunded');

    expect(text('overpaid')).toContain('Overpaid2.817181 USDC');
    expect(shown).toContain(
      `Refunded2.00 USDCTransaction${EVERY_PAGE['overpaid and refunded']!.refunds![0]!.transactionHash}`,
    );
    expect(shown).toContain('Refund on its way0.817181 USDC');
  });

  it('offers a paid link as a new payment and an unpaid one as the same', () => {
    const again = (model: CheckoutPageModel): string =>
      renderCheckoutPage({ ...model, linkCode: 'lunch-4711-abcd' }, 'en').match(
        /action="\/link.*?<\/form>/,
      )![0];

    expect(again(EVERY_PAGE.completed!)).toContain('<input type="hidden" name="new" value="true"');
    expect(again(EVERY_PAGE.expired!)).not.toContain('name="new"');
  });
});

describe('The checkout page without JavaScript', () => {
  it('refreshes itself until the end and keeps the open payment method', () => {
    const refresh = (state: string) =>
      rendered(state).match(/<noscript><meta http-equiv="refresh" content="(\d+)"/)?.[1];
    const link = (state: string) => /<noscript>.*?href="([^"]*)"/.exec(rendered(state))?.[1];

    expect(['created', 'confirming', 'closed', 'pending', 'completed'].map(refresh)).toEqual([
      ...['30', '10', '10', '30', undefined],
    ]);
    expect(['created', 'created, code first'].map(link)).toEqual(['?pay=address', '?pay=code']);
  });

  it('shows all details and no button that needs a script', () => {
    const [fold, ...others] = rendered('created').match(/<details[^>]*>/g)!;
    expect(fold).toBe('<details class="on-phone" id="scan">');
    expect(others).toEqual([expect.stringMatching(/ open\b/), expect.stringMatching(/ open\b/)]);
    for (const [button] of rendered('created').matchAll(/<button[^>]*type="button"[^>]*>/g))
      expect(button).toMatch(/ hidden\b/);
  });
});

describe('The script of the checkout page', () => {
  const { style, script } = PAYER_PAGE_ASSETS;

  it('finds every id and attribute that it reads in the pages', () => {
    const everything = Object.keys(EVERY_PAGE)
      .map((state) => rendered(state).replace(/<(style|script)>[\s\S]*?<\/\1>/g, ''))
      .join('');
    const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const ids = [...script.text.matchAll(/byId\('([\w-]+)'\)/g)].map(([, id]) => `id="${id}"`);
    const properties = [...script.text.matchAll(/dataset\.(\w+)/g)].map(([, name]) => `data-${kebab(name!)}`);
    const selected = [...script.text.matchAll(/\[(data-[\w-]+)/g)].map(([, name]) => name!);

    expect(() => new Script(script.text)).not.toThrow();
    expect([ids.length, properties.length, selected.length].every((found) => found > 3)).toBe(true);
    for (const wanted of [...ids, ...properties, ...selected]) expect(everything).toContain(wanted);
  });

  it('receives the URL to poll, the version and the time left by the clock of the server', () => {
    const html = rendered('created');

    expect(html).toContain('data-poll="/public/checkout/Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3"');
    expect(html).toContain('data-etag="&quot;1&quot;"');
    expect(html).toContain('data-left-ms="432000"');
  });

  it('returns to the merchant after 20 seconds unless money of the payer may need attention', () => {
    for (const state of ['completed', 'overpaid', 'expired by a link, nothing chosen'])
      expect(rendered(state)).toMatch(
        /data-seconds="20".*data-said="You will return to .* in 20 seconds, unless/s,
      );
    for (const state of ['underpaid', 'expired', 'failed']) {
      expect(rendered(state)).toContain('id="return"');
      expect(rendered(state)).not.toContain('data-seconds');
    }
  });

  it('stops polling when the payment has ended', () => {
    for (const state of ['completed', 'overpaid', 'underpaid', 'expired', 'failed'])
      expect(rendered(state)).toContain('data-ended="true"');
    for (const state of ['pending', 'created', 'partly paid', 'confirming', 'closed'])
      expect(rendered(state)).not.toContain('data-ended');
  });

  it('matches the hash in the content security policy and loads nothing from elsewhere', () => {
    const hashOf = (tag: string): string => {
      const inlined = rendered('created').match(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`))![1]!;
      return `'sha256-${createHash('sha256').update(inlined).digest('base64')}'`;
    };

    expect([style.hash, script.hash]).toEqual([hashOf('style'), hashOf('script')]);
    expect(script.text).not.toMatch(/<\/|<!--|innerHTML|eval\(|new Function|https?:/);
    expect(style.text).not.toMatch(/<\/|url\(|@import/);
  });
});

describe('The weight of the checkout page', () => {
  const branding = pageBranding({
    colour: '#ffcc00',
    logo: { path: `/logo/0${sampleToken(80).slice(-64)}`, width: 1024, height: 1024 },
  });
  const options = Array.from({ length: 10 }, (_, i): PagePaymentOption => ({
    ...USDC,
    uniqueAssetId: `n${sampleToken(40 + i).slice(-12)}_t0x${(BigInt(i + 1) * 0x9e3779b97f4a7c15n ** 2n).toString(16).padStart(40, '0')}`,
    networkName: `Network ${i}`,
    networkFee: { amount: `0.${i}7`, coinCode: 'EUR', isLess: i % 2 === 0 },
    amount: `27.1${i}2819`,
  }));
  const token = sampleToken(1500);
  const worst = pendingPage({
    branding,
    token,
    options,
    wallets: [{ name: 'Harbour', url: `https://wallet.example/pay?naspip_token=${token}` }],
    order: {
      total: '1234.50',
      coin_code: 'EUR',
      description: sampleToken(512),
      items: Array.from({ length: 50 }, (_, i) => ({
        description: sampleToken(256 + i).slice(-256),
        ...{ amount: `${i}.50`, coin_code: 'EUR', quantity: 1 },
      })),
    },
  });
  const selected = { ...SELECTED, ...options[0], amount: '27.102819' };

  it.each<[string, CheckoutPageModel]>([
    ['pending', worst],
    ['created', { ...worst, status: 'created', selected }],
  ])(
    'keeps the largest page up to its first code within the first window of a TCP connection: %s',
    (_, model) => {
      const html = renderCheckoutPage(model, 'pt');
      const start = html.indexOf('src="data:image/png');

      expect(start).toBeGreaterThan(0);
      for (const weight of compressedSizes(html.slice(0, html.indexOf('>', start) + 1)))
        expect(weight).toBeLessThanOrEqual(FIRST_WINDOW_BYTES);
    },
  );

  it('keeps every usual page within the first window of a TCP connection', () => {
    for (const model of Object.values(EVERY_PAGE))
      for (const weight of compressedSizes(renderCheckoutPage({ ...model, branding }, 'es')))
        expect(weight).toBeLessThanOrEqual(FIRST_WINDOW_BYTES);
  });
});
