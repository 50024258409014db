import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newId } from '#shared/kernel/ids.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { visible } from '#shared/web/testing/visible-text.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-link.js';
import { linkDetailPage } from './link-detail-page.js';

function page(order?: PaymentLink['order']): string {
  const price = { amount: '12.50', coinCode: 'USD', active: true, createdAt: new Date(0) };
  const link = { id: newId(), pointOfSaleId: newId(), ...price, order } as PaymentLink;
  const url = 'https://pay.example/link/abcdefghijkl';
  const shown = linkDetailPage({ visitor: OWNER, link, url, pointOfSaleName: 'Web', done: undefined });
  return visible(htmlDocument(withLanguage('en', shown)));
}

describe('The page of a payment link', () => {
  it('shows the order as the payer sees it', () => {
    const html = page({
      description: 'Table 7',
      items: [{ description: 'Espresso', amount: '12.50', unit_price: '6.25', quantity: 2 }],
    });

    for (const text of ['Table 7', 'Espresso', '2 × $6.25', '$12.50', 'Total']) expect(html).toContain(text);
  });

  it('shows no order if the link has none', () => {
    expect(page()).not.toMatch(/Items|Total/);
  });
});
