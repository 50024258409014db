import { describe, expect, it } from '@jest/globals';
import type { CheckoutPageModel } from './checkout-page-model.js';
import { renderCheckoutPage } from './checkout-page.js';
import { EVERY_PAGE, selectedPage } from './testing/sample-pages.js';
import { visible } from '#shared/web/testing/visible-text.js';

describe('A payer who has paid', () => {
  const confirming = renderCheckoutPage(EVERY_PAGE.confirming!, 'en');
  const receipt = (model: CheckoutPageModel) => visible(renderCheckoutPage(model, 'en'));

  it('reads that the payment was seen, how far its confirmation is, and about how long it takes', () => {
    expect(visible(confirming)).toContain(
      'Payment detectedConfirming2 of 5 confirmationsabout 40 seconds leftPaid',
    );
    expect(confirming).toContain('<li aria-current="step">');
  });

  it('can look at the transaction, where the operator has named an explorer', () => {
    const { transactionUrl } = EVERY_PAGE.confirming!.selected!;
    const none = renderCheckoutPage(selectedPage('processing', { transactionUrl: undefined }), 'en');

    expect(confirming).toContain(`href="${transactionUrl}" target="_blank" rel="noopener noreferrer"`);
    expect(none).not.toContain('id="explorer"');
  });

  it('keeps a receipt that names whom, for what, how much, in what, at which rate, when, and by which transaction', () => {
    const merchant = { name: 'Corner Coffee', tax_id: 'PT 123' };
    const shown = receipt({ ...EVERY_PAGE.completed!, merchant });

    expect(shown).toContain(
      'ReceiptPaid toCorner CoffeeTax numberPT 123ForTable 7Amount€25.00Paid with27.182819 USDC on Ethereum' +
        'Rate1 USDC = €0.91969TimeMarch 1, 2026 at 12:01 UTCPayment number0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    );
    expect(shown).toContain('Transaction0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd');
  });

  it('gets none for what was not paid', () => {
    for (const state of ['confirming', 'underpaid', 'expired', 'failed', 'closed, partly paid'])
      expect(receipt(EVERY_PAGE[state]!)).not.toContain('Receipt');
  });
});

describe('The end', () => {
  it('leads back to the merchant, and only there', () => {
    const withUrl = (returnUrl?: string): string =>
      renderCheckoutPage(selectedPage('completed', {}, { returnUrl }), 'en');

    expect(withUrl('https://shop.example/thanks?a=1&b=2')).toContain(
      'id="return" href="https://shop.example/thanks?a=1&amp;b=2"',
    );
    expect(withUrl('javascript:alert(1)')).not.toContain('id="return"');
    expect(visible(withUrl(undefined))).toContain('You can close this page.');
  });

  it('says what was too much', () => {
    expect(visible(renderCheckoutPage(EVERY_PAGE.overpaid!, 'en'))).toContain('Overpaid2.817181 USDC');
  });

  it('says what was paid back by which transaction, and what is on its way', () => {
    const model = EVERY_PAGE['overpaid and refunded']!;
    const shown = visible(renderCheckoutPage(model, 'en'));

    expect(shown).toContain(`Refunded2 USDCTransaction${model.refunds![0]!.transactionHash}`);
    expect(shown).toContain('Refund on its way0.817181 USDC');
  });

  it('offers a paid link again as a new payment, an unpaid one as the same', () => {
    const again = (model: CheckoutPageModel): string =>
      renderCheckoutPage({ ...model, linkCode: 'lunch-4711-abcd' }, 'en').match(
        /action="\/link.*?<\/form>/,
      )![0];

    expect(again(EVERY_PAGE.completed!)).toContain('<input type="hidden" name="new" value="true"');
    expect(again(EVERY_PAGE.expired!)).not.toContain('name="new"');
  });
});
