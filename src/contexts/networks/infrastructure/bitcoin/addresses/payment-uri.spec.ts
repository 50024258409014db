import { describe, expect, it } from '@jest/globals';
import QRCode from 'qrcode';
import { paymentUri, paymentUriForQr } from './payment-uri.js';

const BECH32 = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const BASE58 = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG';

const modulesASide = (text: string): number =>
  QRCode.create(text, { errorCorrectionLevel: 'L' }).modules.size;

describe('A payment URI', () => {
  it('has the amount in bitcoin, as exactly as it is asked for', () => {
    expect(paymentUri(BECH32, 1n)).toBe(`bitcoin:${BECH32}?amount=0.00000001`);
    expect(paymentUri(BASE58, 150_000_000n)).toBe(`bitcoin:${BASE58}?amount=1.5`);
    expect(paymentUri(BASE58, 21_000_000n * 10n ** 8n)).toBe(`bitcoin:${BASE58}?amount=21000000`);
  });

  it('has a bech32 address in capitals in a QR code, which makes it smaller', () => {
    const uri = paymentUriForQr(BECH32, 123_456n);

    expect(uri).toBe(`bitcoin:${BECH32.toUpperCase()}?amount=0.00123456`);
    expect(modulesASide(uri)).toBeLessThan(modulesASide(paymentUri(BECH32, 123_456n)));
  });

  it('keeps a base58 address, which capitals would make another', () => {
    expect(paymentUriForQr(BASE58, 1n)).toBe(paymentUri(BASE58, 1n));
    expect(paymentUriForQr('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 1n)).toContain(':TB1Q');
    expect(paymentUriForQr('bcrt1qqn3fw523uuqlh8mjj0nqpyphsyysz7l67gr49w', 1n)).toContain(':BCRT1Q');
  });
});
