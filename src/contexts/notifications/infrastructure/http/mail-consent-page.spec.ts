import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { mailConsentPage } from './mail-consent-page.js';

describe('The confirmation page of a mail', () => {
  const page = mailConsentPage({
    recipient: {
      ...{ token: 'token', email: 'anna@shop.example', organizationName: 'Shop' },
      kinds: ['refund', 'weekly_report'],
    },
    state: 'to_confirm',
  });

  it('lists the kinds of mail in the language of the reader', () => {
    const text = visible(renderToString(withLanguage('es', page)));

    for (const sentence of [
      'Correos de Shop a anna@shop.example.',
      'Reembolsos, informe semanal.',
      'Confirmar',
    ])
      expect(text).toContain(sentence);
  });
});
