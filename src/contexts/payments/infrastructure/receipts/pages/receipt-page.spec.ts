import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { renderReceiptPage } from './receipt-page.js';
import { EVERY_RECEIPT, sampleReceipt } from './testing/sample-receipts.js';
import { RECEIPT_MESSAGES } from './receipt-messages.js';
import { renderUnsubscribePage } from './unsubscribe-page.js';

const HOSTILE = '</style><img src=x onerror=alert(1)>"\'\u202Eevil';
const MOST_BYTES = 30_000;

describe('The page of a receipt', () => {
  it('says what was paid, to whom, in what, at which rate, by which transaction and when', () => {
    const page = visible(renderReceiptPage(sampleReceipt(), 'en'));

    for (const fact of [
      'Receipt €25.00',
      'Paid The merchant received the payment, and it is final.',
      'Corner Coffee',
      'PT123456789',
      'Rua da Boavista 12\n1200-066 Lisboa',
      '€25.00 = 27.182819 USDC',
      'on Ethereum',
      '1 USDC = €0.91969',
      'coinbase, kraken, March 1, 2026 at 12:00 UTC',
      'Sending a transfer currently costs about €0.21.',
      '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
      'March 1, 2026 at 12:03 UTC',
      'As of March 2, 2026 at 09:00 UTC',
      'Flat white',
    ])
      expect(page).toContain(fact);
  });

  it('says what is missing, and what became of the money', () => {
    const shown = (name: string) => visible(renderReceiptPage(EVERY_RECEIPT[name]!, 'en'));

    expect(shown('partly paid')).toMatch(
      /Partially paid .*not a receipt for the full amount.*Remaining16\.682819 USDC/s,
    );
    expect(shown('overpaid, and refunded in part')).toMatch(
      /Overpaid2\.817181 USDC.*Refunded2\.817181 USDC/s,
    );
    expect(shown('reversed')).toMatch(
      /no longer paid.*Reversed27\.182819 USDC.*Reversed on March 1.*Also received/s,
    );
  });

  it.each(Object.entries(EVERY_RECEIPT))('is light and has a path to the document: %s', (_, model) => {
    for (const language of PAGE_LANGUAGES) {
      const html = renderReceiptPage(model, language);
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MOST_BYTES);
      expect(html).toContain('href="/receipt/0Zk9mQ2x1c3RlckNvZmZlZTA/document"');
    }
  });

  it('shows text of merchants as text', () => {
    const merchant = { name: HOSTILE, tax_id: HOSTILE, postal_address: HOSTILE };
    const order = { total: '1', coin_code: 'EUR', description: HOSTILE };

    const html = renderReceiptPage(sampleReceipt({ merchant, order }), 'en');

    expect(html).not.toMatch(/<img|\u202e/);
  });
});

describe('The page to unsubscribe at', () => {
  it('says that it is done only once it is', () => {
    for (const language of PAGE_LANGUAGES) {
      const [done = ''] = RECEIPT_MESSAGES[language].unsubscribedNote.split('. ');
      const pages = [false, true].map((unsubscribed) =>
        renderUnsubscribePage({ code: '0a', unsubscribed }, language),
      );

      expect(pages.map((page) => visible(page).includes(done))).toEqual([false, true]);
    }
  });
});
