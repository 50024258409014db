import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { BITCOIN, EVERY_PAGE, selectedPage } from './testing/sample-pages.js';
import { qrImage } from '#shared/web/qr/qr-code.js';
import { visible } from '#shared/web/testing/visible-text.js';

describe('A payer of a network whose transfers are seen before their block', () => {
  const html = renderCheckoutPage(EVERY_PAGE['created in bitcoin']!, 'en');
  const seen = visible(renderCheckoutPage(EVERY_PAGE['unconfirmed in bitcoin']!, 'en'));

  it('scans the whole transfer, and has it as a link', () => {
    const [, code] = html.match(/<img src="([^"]*)"[^>]*alt="QR code of address and amount on/)!;

    expect(code).toBe(qrImage(BITCOIN.code)!.source);
    expect(html).toContain(`id="open-uri" href="${BITCOIN.transferUri}"`);
  });

  it('reads before paying what counts, and of other networks nothing of it', () => {
    expect(visible(html)).toContain(
      'A payment detected in time counts if a block includes it within 24 hours; with a low fee, within one hour.',
    );
    expect(visible(renderCheckoutPage(EVERY_PAGE.created!, 'en'))).not.toContain('a block includes it');
  });

  it('reads that the payment was seen, and for what it waits', () => {
    expect(seen).toContain('Payment detected, waiting for a block');
    expect(seen).toContain(
      'Payment detectedWaiting for a block0 of 3 confirmationsabout 30 minutes leftPaid',
    );
    expect(seen).not.toContain('Use a normal network fee');
  });

  it('can pay again once what was seen is gone', () => {
    const gone = renderCheckoutPage(selectedPage('processing', { ...BITCOIN, mayChange: false }), 'en');

    expect(visible(gone)).toContain('Waiting for your payment');
    expect(gone).toContain(BITCOIN.transferUri);
  });
});
