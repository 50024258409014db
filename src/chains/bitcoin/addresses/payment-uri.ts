import { formatAmount } from '#shared/kernel/amount.js';
import { ADDRESS_FORMATS } from './address-format.js';

/** Fraction digits of a bitcoin. */
const DECIMALS = 8;

const BECH32 = new RegExp(
  `^(?:${Object.values(ADDRESS_FORMATS)
    .map(({ prefix }) => prefix)
    .join('|')})1`,
);

/** A BIP-21 URI (BIP-321 has it unchanged). @param amount satoshis, above 0 */
export function paymentUri(address: string, amount: bigint): string {
  return `bitcoin:${address}?amount=${formatAmount(amount, DECIMALS)}`;
}

/**
 * The same for a QR code, whose alphanumeric mode has capitals only and takes 5.5 bits a character instead of 8. Base58
 * and the query have one case. The scheme stays lower, because some wallets know no other.
 */
export function paymentUriForQr(address: string, amount: bigint): string {
  return paymentUri(BECH32.test(address) ? address.toUpperCase() : address, amount);
}
