import { describe, expect, it } from '@jest/globals';
import { renderErrorPage, renderPaidAtTillPage } from './error-page.js';
import { PAYER_PAGE_MESSAGES } from './checkout-page-props.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';

type ErrorKey = 'notUnderstood' | 'notFound' | 'notThisWay' | 'tooMany' | 'broken' | 'unavailable';

describe.each(PAGE_LANGUAGES)('An error page in the language %s', (language) => {
  it('states what to do, for each status and for a receipt at a till', () => {
    const keys: [number, ErrorKey][] = [
      [400, 'notUnderstood'],
      [404, 'notFound'],
      [409, 'notThisWay'],
      [429, 'tooMany'],
      [500, 'broken'],
      [503, 'unavailable'],
    ];
    const words = PAYER_PAGE_MESSAGES[language];
    for (const [status, key] of keys)
      for (const sentence of [words[key], words[`${key}Note`]])
        expect(visible(renderErrorPage(status, language))).toContain(sentence);
    for (const sentence of [words.paidAtTill, words.paidAtTillNote])
      expect(visible(renderPaidAtTillPage(language))).toContain(sentence);
  });
});

describe('An error page', () => {
  it.each<[number, string]>([
    [400, 'Back to the payment'],
    [500, 'Try again'],
  ])('links to the given page with a text for the status: %i as "%s"', (status, label) => {
    const html = renderErrorPage(status, 'en', { retryPath: '/link/lunch-4711-abcd' });

    expect(html).toContain(`href="/link/lunch-4711-abcd">${label}</a>`);
    expect(renderErrorPage(status, 'en')).not.toContain('<a class');
    expect(renderErrorPage(404, 'en', { retryPath: '/link/none' })).not.toContain('<a class');
  });

  it('names the request only if the service failed', () => {
    const requestId = 'req-4711';

    expect(visible(renderErrorPage(500, 'en', { requestId }))).toContain(
      'give the merchant this number: req-4711',
    );
    expect(renderErrorPage(404, 'en', { requestId })).not.toContain('req-4711');
  });
});
