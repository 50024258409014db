import type { CheckoutPageModel } from './checkout-page-model.js';
import { CheckoutPage } from './checkout-page.js';
import { htmlDocument } from './document-shell.js';
import { ErrorPage, type PageErrorFacts, type PageErrorStatus } from './error-page.js';
import type { PageLanguage } from './messages.js';
import { pageView } from './page-view.js';

/**
 * Whole documents, each complete in itself: style, script and QR codes are inlined. Besides the two hashes of
 * `page-assets.ts` they want a policy of `img-src data:; connect-src 'self'; form-action 'self'`.
 */
export function renderCheckoutPage(model: CheckoutPageModel, language: PageLanguage): string {
  return htmlDocument(<CheckoutPage {...pageView(model, language)} />);
}

export function renderErrorPage(
  status: PageErrorStatus,
  language: PageLanguage,
  facts: PageErrorFacts = {},
): string {
  return htmlDocument(<ErrorPage status={status} language={language} {...facts} />);
}
