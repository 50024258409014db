import { sha256 } from '@noble/hashes/sha2';
import { createBase58check } from '@scure/base';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';

/** First byte of each address, on the main network and on the test networks. */
const ADDRESS_PREFIX = 0x41;
const ADDRESS_BYTES = 21;

const base58check = createBase58check(sha256);

/** @param hex 20 bytes with `0x` @returns the canonical spelling, which people see too */
export function tronAddress(hex: string): string {
  return base58check.encode(Buffer.from(`${ADDRESS_PREFIX.toString(16)}${hex.slice(2)}`, 'hex'));
}

/** @returns 20 bytes in hex, in lower case; null if the text is no address in Base58Check */
export function hexOfTronAddress(text: string): string | null {
  try {
    const bytes = base58check.decode(text);
    if (bytes.length !== ADDRESS_BYTES || bytes[0] !== ADDRESS_PREFIX) return null;
    return `0x${Buffer.from(bytes.subarray(1)).toString('hex')}`;
  } catch {
    return null;
  }
}

/** @param address in the canonical spelling @returns EIP-55, as contracts and their derivation have it */
export function evmSpelling(address: string): string {
  const hex = hexOfTronAddress(address);
  if (hex === null) throw new Error(`${address} is not a TRON address.`);
  return toDisplayAddress(hex);
}

/** Spells the addresses of a sentence for people. */
export function spellAddresses(sentence: string): string {
  return sentence.replaceAll(/\b0x[0-9a-fA-F]{40}\b/g, tronAddress);
}
