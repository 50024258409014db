import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { inLanguage } from '#shared/web/dashboard/words/text.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { mailAnswerPage } from './mail-answer-page.js';

describe('The page that a mail leads to', () => {
  const page = mailAnswerPage({
    recipient: {
      ...{ token: 'token', email: 'anna@shop.example', organizationName: 'Shop' },
      kinds: ['refund', 'weekly_report'],
    },
    state: 'to_confirm',
  });

  it.each([
    [
      'en',
      [
        'Receive these emails?',
        'Emails from Shop to anna@shop.example.',
        'Refunds, weekly report.',
        'Confirm',
      ],
    ],
    [
      'es',
      [
        '¿Quieres recibir estos correos?',
        'Correos de Shop a anna@shop.example.',
        'Reembolsos, informe semanal.',
        'Confirmar',
      ],
    ],
  ] as const)('names what is mailed in the reader’s language: %s', (language, sentences) => {
    const text = visible(renderToString(inLanguage(language, page)));

    for (const sentence of sentences) expect(text).toContain(sentence);
  });
});
