import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { renderErrorPage } from './error-page.js';
import { renderLinkPage } from '../../links/http/link-page.js';
import { EVERY_PAGE, linkPage, selectedPage } from '#contexts/payments/testing/checkout/sample-pages.js';

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'><a href="javascript:alert(1)">\u202Eevil\u2069';
const FORBIDDEN = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://plain.example/',
  '//other.example/',
  'nothing',
];

const hostile = selectedPage(
  'completed',
  {
    symbol: HOSTILE,
    networkName: HOSTILE,
    assetName: HOSTILE,
    transactionHash: HOSTILE,
    receivedAmount: '1',
  },
  {
    sessionId: HOSTILE,
    etag: HOSTILE,
    token: HOSTILE,
    linkCode: HOSTILE,
    refunds: [{ amount: '1', symbol: HOSTILE, arrived: true, transactionHash: HOSTILE }],
    merchant: { name: HOSTILE, description: HOSTILE },
    order: {
      total: '1',
      coin_code: HOSTILE,
      description: HOSTILE.repeat(6).slice(0, 512),
      merchant: { name: HOSTILE, tax_id: HOSTILE },
      items: Array.from({ length: 50 }, () => ({
        description: HOSTILE,
        amount: '1',
        coin_code: 'EUR',
        quantity: 1,
      })),
    },
    wallets: FORBIDDEN.map((url) => ({ name: HOSTILE, url })),
  },
);

const rendered: [string, string][] = [
  ...Object.entries(EVERY_PAGE).map(([name, model]): [string, string] => [
    name,
    renderCheckoutPage(model, 'en'),
  ]),
  ['with hostile text, completed', renderCheckoutPage(hostile, 'en')],
  ['with hostile text, created', renderCheckoutPage({ ...hostile, status: 'created' }, 'es')],
  [
    'with hostile text, pending',
    renderCheckoutPage({ ...hostile, status: 'pending', selected: undefined }, 'pt'),
  ],
  ['of a link', renderLinkPage(linkPage({ merchant: { name: HOSTILE }, code: HOSTILE }), 'en')],
  ['of an error', renderErrorPage(500, 'en', { requestId: HOSTILE, retryPath: HOSTILE })],
];

describe('A page for payers', () => {
  it.each(rendered)('runs no script and applies no style that its policy does not name: %s', (_, html) => {
    const tags = html
      .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
      .matchAll(/<[a-z][^\s/>]*(?:\s+[^\s=>]+(?:="[^"]*")?)*\s*\/?>/g);

    expect(html.match(/<script/g) ?? []).toHaveLength(html.includes('data-poll') ? 1 : 0);
    expect(html.match(/<style/g)).toHaveLength(1);
    for (const [tag] of tags) {
      const names = [...tag.replace(/"[^"]*"/g, '').matchAll(/\s([^\s=/>]+)/g)].map(([, name]) => name!);
      expect(names.filter((name) => /^(?:style|on.*|srcdoc|formaction)$/i.test(name))).toEqual([]);
    }
  });

  it.each(rendered)(
    'turns no text of merchants into an image, a link, a form or a text direction: %s',
    (_, html) => {
      expect(html).not.toMatch(/<img src=x|onerror=alert\(1\)>"|[\u202a-\u202e]/);
      expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
      for (const [, attribute, url] of html.matchAll(/\s(href|src|action)="([^"]*)"/g)) {
        const allowed = {
          href: /^(?:data:,$|\?(?:pay|lang)=\w+$|\/(?:checkout|link)\/[^/]+$|https:\/\/(?:shop|wallet|explorer)\.example\/|pocket:\/\/|ethereum:0x|bitcoin:bc1)/,
          src: /^data:image\/png;base64,[A-Za-z0-9+/=]+$/,
          action: /^\/(?:checkout|link)\/[^/]+(?:\/sandbox-payment\?pay=\w+)?$/,
        }[attribute!];
        expect(url).toMatch(allowed!);
      }
    },
  );
});
