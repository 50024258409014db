import { describe, expect, it } from '@jest/globals';
import { httpsHref, ownPath, walletHref } from './safe-links.js';

const FORBIDDEN = [
  ...[
    'javascript:alert(1)',
    ' \tJavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
  ],
  ...['blob:https://x.example/1', 'file:///etc/passwd', 'http://plain.example/', '//other.example/'],
  ...['nothing'],
];

describe('A wallet’s link', () => {
  it.each(FORBIDDEN)('rejects %j', (url) => {
    expect(walletHref(url)).toBeUndefined();
  });

  it.each(['https://wallet.example/pay', 'pocket://pay', 'wc+app.2:pay'])('accepts %s', (url) => {
    expect(walletHref(url)).toBe(url);
  });
});

it.each([...FORBIDDEN, 'pocket://pay', ''])('rejects %j as a link of https', (url) => {
  expect(httpsHref(url)).toBeUndefined();
});

it.each([...FORBIDDEN, '/\\other.example', '/a b', '', 'checkout/1'])(
  'rejects %j as a path of this origin',
  (path) => {
    expect(ownPath(path)).toBeUndefined();
  },
);
