import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { PAYER_ASSETS } from './page-assets.js';
import { EVERY_PAGE } from './testing/sample-pages.js';

const { style, script } = PAYER_ASSETS;

describe('The content security policy', () => {
  it('has the hashes of exactly what is inlined', () => {
    const html = renderCheckoutPage(EVERY_PAGE.created!, 'en');
    const hashOf = (tag: string): string => {
      const inlined = html.match(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`))![1]!;
      return `'sha256-${createHash('sha256').update(inlined).digest('base64')}'`;
    };

    expect([style.hash, script.hash]).toEqual([hashOf('style'), hashOf('script')]);
  });

  it('is kept by assets that end no element and fetch nothing from elsewhere', () => {
    expect(script.text).not.toMatch(/<\/|<!--|innerHTML|eval\(|new Function|https?:/);
    expect(style.text).not.toMatch(/<\/|url\(|@import/);
  });
});
