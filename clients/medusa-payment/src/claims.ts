import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { RefundOfPayment } from './session-data.js';

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

/**
 * Encrypts the URL of a claim page. Anyone with the URL can enter the refund address, and Medusa's store API shows the data of a payment.
 * @param apiSecret API secret in the provider's options
 */
export function encryptClaimUrl(claimUrl: string, refundId: string, apiSecret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(apiSecret), iv).setAAD(Buffer.from(refundId));
  const sealed = [cipher.update(claimUrl, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

/**
 * Decrypts the URL of a refund's claim page. Send the URL only to the payer.
 * @param refund an entry of `refunds` in a payment's `data`
 * @param options options of the provider, with the API secret at the time of the refund
 * @returns the URL; undefined if the refund has no claim page @throws if the API secret is a different one
 */
export function claimUrlOf(
  { id, claim }: Pick<RefundOfPayment, 'id' | 'claim'>,
  { apiSecret }: { readonly apiSecret: string },
): string | undefined {
  if (claim === undefined) return undefined;
  const sealed = Buffer.from(claim, 'base64url');
  const tagAt = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, keyOf(apiSecret), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(id)).setAuthTag(sealed.subarray(IV_BYTES, tagAt));
  return Buffer.concat([decipher.update(sealed.subarray(tagAt)), decipher.final()]).toString('utf8');
}

function keyOf(apiSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', apiSecret, '', 'payment-collection-medusa claim', 32));
}
