import { describe, expect, it } from '@jest/globals';
import { renderErrorPage, renderPaidAtTillPage } from './error-page.js';
import { MESSAGES } from './messages/messages.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';

type ErrorKey = 'notUnderstood' | 'notFound' | 'notThisWay' | 'tooMany' | 'broken' | 'unavailable';

describe.each(PAGE_LANGUAGES)('An error page, in %s,', (language) => {
  it.each<[number, ErrorKey]>([
    [400, 'notUnderstood'],
    [404, 'notFound'],
    [409, 'notThisWay'],
    [429, 'tooMany'],
    [500, 'broken'],
    [503, 'unavailable'],
  ])('says what to do about a %s', (status, key) => {
    const shown = visible(renderErrorPage(status, language));

    expect(shown).toContain(MESSAGES[language][key]);
    expect(shown).toContain(MESSAGES[language][`${key}Note`]);
  });

  it('says who has the receipt of a sale at a till', () => {
    const shown = visible(renderPaidAtTillPage(language));

    expect(shown).toContain(MESSAGES[language].paidAtTill);
    expect(shown).toContain(MESSAGES[language].paidAtTillNote);
  });
});

describe('An error page', () => {
  it.each<[number, string]>([
    [400, 'Back to the payment'],
    [409, 'Back to the payment'],
    [429, 'Try again'],
    [500, 'Try again'],
    [503, 'Try again'],
  ])('of a %s leads on to the page that it is told', (status, label) => {
    const html = renderErrorPage(status, 'en', { retryPath: '/link/lunch-4711-abcd' });

    expect(html).toContain(`href="/link/lunch-4711-abcd">${label}</a>`);
    expect(renderErrorPage(status, 'en')).not.toContain('<a ');
  });

  it('leads nowhere where there is no payment', () => {
    expect(renderErrorPage(404, 'en', { retryPath: '/link/none' })).not.toContain('<a ');
  });

  it('names the request where the fault is ours', () => {
    const requestId = 'req-4711';

    expect(visible(renderErrorPage(500, 'en', { requestId }))).toContain(
      'give the merchant this number: req-4711',
    );
    expect(renderErrorPage(404, 'en', { requestId })).not.toContain('req-4711');
  });
});
