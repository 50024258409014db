import { describe, expect, it } from '@jest/globals';
import { httpsHref, sameOriginPath, walletHref } from './safe-links.js';

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
  it.each(FORBIDDEN)('is rejected if it is unsafe: %j', (url) => {
    expect(walletHref(url)).toBeUndefined();
  });

  it.each(['https://wallet.example/pay', 'pocket://pay', 'wc+app.2:pay'])(
    'is accepted with a safe scheme: %s',
    (url) => {
      expect(walletHref(url)).toBe(url);
    },
  );
});

describe('A link of https', () => {
  it.each([...FORBIDDEN, 'pocket://pay', ''])('is rejected if it is not a safe https URL: %j', (url) => {
    expect(httpsHref(url)).toBeUndefined();
  });
});

describe('A path of this origin', () => {
  it.each([...FORBIDDEN, '/\\other.example', '/a b', '', 'checkout/1'])(
    'is rejected if it is not a safe path: %j',
    (path) => {
      expect(sameOriginPath(path)).toBeUndefined();
    },
  );
});
