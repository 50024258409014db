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
      'A payment seen here in time counts if a block takes it within 24 hours.',
    );
    expect(visible(renderCheckoutPage(EVERY_PAGE.created!, 'en'))).not.toContain('a block takes it');
  });

  it('reads that the payment was seen, and for what it waits', () => {
    expect(seen).toContain('Payment seen, waiting for its first block');
    expect(seen).toContain(
      'Payment seenWaiting for its first block0 of 3 confirmationsabout 30 minutes leftPaid',
    );
    expect(seen).not.toContain('Pay with a usual network fee');
  });

  it('can pay again once what was seen is gone', () => {
    const gone = renderCheckoutPage(selectedPage('processing', { ...BITCOIN, mayChange: false }), 'en');

    expect(visible(gone)).toContain('Waiting for your payment');
    expect(gone).toContain(BITCOIN.transferUri);
  });
});
