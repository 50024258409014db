import { describe, expect, it } from '@jest/globals';
import { renderLinkPage } from './link-page.js';
import { PAYER_PAGE_MESSAGES } from '../../checkout/pages/checkout-page-props.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { linkPage } from '#contexts/payments/testing/checkout/sample-pages.js';
import { visible } from '#shared/web/testing/visible-text.js';

describe.each(PAGE_LANGUAGES)('The page of a payment link in the language %s', (language) => {
  it('shows merchant and order, and one button for each payment option', () => {
    const html = renderLinkPage(linkPage(), language);

    expect(html.match(/<form method="post" action="\/link\/lunch-4711-abcd"/g)).toHaveLength(1);
    expect(html.match(/<button[^>]* name="unique_asset_id"/g)).toHaveLength(3);
    expect(visible(html)).toContain(PAYER_PAGE_MESSAGES[language].noRate);
    for (const fact of ['Corner Coffee', 'Cheesecake', 'Polygon', 'EURC'])
      expect(visible(html)).toContain(fact);
    expect(html).not.toContain('<script');
  });

  it('states that no option is available and has no button', () => {
    const html = renderLinkPage(linkPage({ options: [] }), language);
    const { noOptions, noOptionsNote, payNote } = PAYER_PAGE_MESSAGES[language];

    expect(html).not.toMatch(/<form|<button/);
    expect(visible(html)).toContain(noOptions + noOptionsNote('Corner Coffee'));
    expect(visible(html)).not.toContain(payNote);
  });
});
