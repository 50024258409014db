import { describe, expect, it } from '@jest/globals';
import type { CheckoutPageModel } from './checkout-page-model.js';
import { renderCheckoutPage } from './checkout-page.js';
import { EVERY_PAGE } from './testing/sample-pages.js';

describe('Without JavaScript', () => {
  const refresh = (model: CheckoutPageModel): string | undefined =>
    renderCheckoutPage(model, 'en').match(/<noscript><meta http-equiv="refresh" content="(\d+)"/)?.[1];

  it('the page refreshes itself until the end, a choice more slowly', () => {
    expect(refresh(EVERY_PAGE.created!)).toBe('10');
    expect(refresh(EVERY_PAGE.confirming!)).toBe('10');
    expect(refresh(EVERY_PAGE.closed!)).toBe('10');
    expect(refresh(EVERY_PAGE.pending!)).toBe('30');
    expect(refresh(EVERY_PAGE.completed!)).toBeUndefined();
  });

  it('everything folded is open, so that a refresh closes nothing', () => {
    const html = renderCheckoutPage(EVERY_PAGE.created!, 'en');

    expect(html.match(/<details[^>]*>/g)).toHaveLength(1);
    for (const [fold] of html.matchAll(/<details[^>]*>/g)) expect(fold).toMatch(/ open\b/);
  });

  it('no button is shown that needs it', () => {
    const html = renderCheckoutPage(EVERY_PAGE.created!, 'en');

    for (const [button] of html.matchAll(/<button[^>]*type="button"[^>]*>/g))
      expect(button).toMatch(/ hidden\b/);
  });
});
