import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { type AccountId, newId } from '#shared/kernel/ids.js';
import { inLanguage } from '#shared/web/dashboard/words/text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { explainRequest } from '#contexts/payments/application/explanation/request-sentence.js';
import type { PaymentRequestProgressView } from '#contexts/payments/application/requests/payment-request-view.js';
import { dollars, FINAL, toExplain } from '#contexts/payments/testing/request-to-explain.js';
import { paymentPage } from './payment-page.js';

/** The page of a request of 10 USDX of which 4 were received until it ended. */
function page(fulfilled: boolean, role = OWNER.role, language: PageLanguage = 'en'): string {
  const transfers = [dollars(4, FINAL)];
  const request = toExplain({ status: 'underpaid', fulfilled, transfers, confirmedAt: new Date(0) });
  const order = { total: '10', coin_code: 'USDX', description: 'Table 7' };
  const shown = paymentPage({
    visitor: { ...OWNER, role },
    request: {
      ...request,
      accountId: newId<AccountId>(),
      order,
      history: [],
    } as unknown as PaymentRequestProgressView,
    explanation: explainRequest(request),
    later: [],
    networkOf: () => undefined,
  });
  return htmlDocument(inLanguage(language, shown)).replaceAll('&amp;', '&');
}

describe('The page of an underpaid payment', () => {
  const remainder = (text: string) => new RegExp(`<a class="button" href="([^"]+)">${text}`);

  it('offers to accept it as paid, to ask for the exact remainder, and to refund it', () => {
    const html = page(false);
    const [, href] = remainder('Ask for the remainder').exec(html)!;
    const { id, pointOfSaleId } = toExplain();

    expect(html).toContain(`action="/app/payments/${id}/accept"`);
    expect(Object.fromEntries(new URL(href!, 'https://pay.example').searchParams)).toEqual({
      ...{ point_of_sale_id: pointOfSaleId, amount: '6', coin_code: 'USDX', description: 'Table 7' },
    });
    expect(html).toContain(`/app/refunds/new?payment_request_id=${id}`);
  });

  it.each([
    ['of a payment that is accepted', true, OWNER.role],
    ['to a person who may only read', false, 'viewer' as const],
  ])('offers neither %s', (_, fulfilled, role) => {
    const html = page(fulfilled, role);

    expect(html).not.toContain('/accept"');
    expect(html).not.toMatch(remainder('Ask for the remainder'));
  });

  it('states in the language of the reader what is missing', () => {
    expect(visible(page(false, OWNER.role, 'es'))).toContain('El plazo terminó y faltan 6.00 USDX.');
  });
});
