import { describe, expect, it } from '@jest/globals';
import { httpsHref, ownPath, walletHref } from './safe-links.js';

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

describe('A wallet’s link', () => {
  it.each(FORBIDDEN)('is never %j', (url) => {
    expect(walletHref(url)).toBeUndefined();
  });

  it.each(['https://wallet.example/pay', 'pocket://pay', 'wc+app.2:pay'])('may be %s', (url) => {
    expect(walletHref(url)).toBe(url);
  });
});

describe('A link of https', () => {
  it.each([...FORBIDDEN, 'pocket://pay', ''])('is never %j', (url) => {
    expect(httpsHref(url)).toBeUndefined();
  });
});

describe('A path of this origin', () => {
  it.each([...FORBIDDEN, '/\\other.example', '/a b', '', 'checkout/1'])('is never %j', (path) => {
    expect(ownPath(path)).toBeUndefined();
  });
});
