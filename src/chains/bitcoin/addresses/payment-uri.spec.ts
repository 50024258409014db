import { describe, expect, it } from '@jest/globals';
import { paymentUri, paymentUriForQr } from './descriptor-addresses.js';

const BECH32 = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
const BASE58 = '3P14159f73E4gFr7JterCCQh9QjiTjiZrG';

describe('A payment URI', () => {
  it('has the exact requested amount in bitcoin', () => {
    expect(paymentUri(BECH32, 1n)).toBe(`bitcoin:${BECH32}?amount=0.00000001`);
    expect(paymentUri(BASE58, 150_000_000n)).toBe(`bitcoin:${BASE58}?amount=1.5`);
    expect(paymentUri(BASE58, 21_000_000n * 10n ** 8n)).toBe(`bitcoin:${BASE58}?amount=21000000`);
  });

  it('has a bech32 address in capitals in a QR code, which makes it smaller', () => {
    const uri = paymentUriForQr(BECH32, 123_456n);

    expect(uri).toBe(`bitcoin:${BECH32.toUpperCase()}?amount=0.00123456`);
  });
});
