import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { renderErrorPage } from './error-page.js';
import { renderLinkPage } from '../../links/http/link-page.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { EVERY_PAGE, linkPage, selectedPage } from './testing/sample-pages.js';

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'><a href="javascript:alert(1)">\u202Eevil\u2069';
const FORBIDDEN = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' \tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://x.example/1',
  'file:///etc/passwd',
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
  ...PAGE_LANGUAGES.flatMap((language): [string, string][] => [
    [`hostile and completed, in ${language}`, renderCheckoutPage(hostile, language)],
    [`hostile and created, in ${language}`, renderCheckoutPage({ ...hostile, status: 'created' }, language)],
    [
      `hostile and pending, in ${language}`,
      renderCheckoutPage({ ...hostile, status: 'pending', selected: undefined }, language),
    ],
  ]),
  ['a link', renderLinkPage(linkPage({ merchant: { name: HOSTILE }, code: HOSTILE }), 'en')],
  ['an error', renderErrorPage(500, 'en', { requestId: HOSTILE, retryPath: HOSTILE })],
  ['an error with a way on', renderErrorPage(409, 'en', { retryPath: '/link/lunch-4711-abcd' })],
];

/** Every tag as the page has it, outside style and script. */
function tags(html: string): string[] {
  return [
    ...html
      .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
      .matchAll(/<[a-z][^\s/>]*(?:\s+[^\s=>]+(?:="[^"]*")?)*\s*\/?>/g),
  ].map(([tag]) => tag);
}

describe.each(rendered)('The page: %s', (_, html) => {
  it('runs and styles nothing but what its policy names', () => {
    expect(html.match(/<script/g) ?? []).toHaveLength(html.includes('data-poll') ? 1 : 0);
    expect(html.match(/<style/g)).toHaveLength(1);
    for (const tag of tags(html)) {
      const names = [...tag.replace(/"[^"]*"/g, '').matchAll(/\s([^\s=/>]+)/g)].map(([, name]) => name!);
      expect(names.filter((name) => /^(?:style|on.*|srcdoc|formaction)$/i.test(name))).toEqual([]);
    }
  });

  it('makes no image, link or form of a stranger’s words', () => {
    expect(html).not.toMatch(/<img src=x|onerror=alert\(1\)>"/);
    for (const [, attribute, url] of html.matchAll(/\s(href|src|action)="([^"]*)"/g)) {
      const allowed = {
        href: /^(?:data:,$|\?pay=\w+$|\/(?:checkout|link)\/[^/]+$|https:\/\/(?:shop|wallet|explorer)\.example\/|pocket:\/\/|ethereum:0x|bitcoin:bc1)/,
        src: /^data:image\/png;base64,[A-Za-z0-9+/=]+$/,
        action: /^\/(?:checkout|link)\/[^/]+(?:\/sandbox-payment\?pay=\w+)?$/,
      }[attribute!];
      expect(url).toMatch(allowed!);
    }
  });

  it('is read in the direction it was written', () => {
    expect(html).not.toMatch(/[\u202a-\u202e]/);
    expect(html.match(/\u2068/g)?.length).toBe(html.match(/\u2069/g)?.length);
  });
});
