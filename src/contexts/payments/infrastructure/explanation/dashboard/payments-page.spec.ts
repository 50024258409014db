import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { visible } from '#shared/web/testing/visible-text.js';
import type { ListedPaymentRequest } from '#contexts/payments/application/requests/payment-request-view.js';
import { dollars, toExplain } from '#contexts/payments/testing/request-to-explain.js';
import { paymentsPage } from './payments-page.js';

describe('The list of payments', () => {
  it.each([
    ['of nothing received', 0, '10.00 USDX'],
    ['of a part', 6.25, '6.25 of 10.00 USDX'],
    ['of the amount', 10, '10.00 USDX'],
    ['of too much', 12, '12.00 of 10.00 USDX'],
  ])('displays a received amount that differs from the requested one: %s', (_, received, text) => {
    const transfers = received === 0 ? [] : [dollars(received)];
    const shown = paymentsPage({
      ...{ visitor: OWNER, page: 1, pageSize: 20, total: 1, counts: undefined, query: { page: 1 } },
      ...{ points: { items: [], total: 0 }, deliveries: new Map(), saved: [] },
      items: [toExplain({ transfers }) as unknown as ListedPaymentRequest],
    });
    const cell = /<td data-title="Amount".*?<\/td>/s.exec(htmlDocument(withLanguage('en', shown)))![0];

    expect(visible(cell)).toBe(text);
  });
});
