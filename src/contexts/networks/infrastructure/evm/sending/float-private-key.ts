import type { MasterSecret } from '../../master-secret.js';

/** Order of the curve secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The order's 256 bits and 128 more: reduced, no key is noticeably likelier than another. */
const BYTES = 48;

/**
 * The private key of an organization's refund float on one network, out of the master secret: the same for ever, so nothing of
 * it is stored. Reduced to the range 1 to order - 1 with extra random bits (FIPS 186-5, A.2.1).
 * @returns 64 hexadecimal digits with `0x`
 */
export function floatPrivateKey(secret: MasterSecret, network: string, organizationId: string): string {
  const info = JSON.stringify(['payment-collection-service', 'refund float', 1, organizationId, network]);
  const wide = BigInt(`0x${secret.derive(info, BYTES).toString('hex')}`);
  const key = (wide % (ORDER - 1n)) + 1n;
  return `0x${key.toString(16).padStart(64, '0')}`;
}
