import { keccak_256 } from '@noble/hashes/sha3';
import { utf8ToBytes } from '@noble/hashes/utils';

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Twenty bytes in hex with `0x`, in any case; says nothing about the checksum. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** True where the letters' case carries no checksum, or the right one. @param address as `isAddress` accepts it */
export function hasGoodChecksum(address: string): boolean {
  const digits = address.slice(2);
  return (
    digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksummed(address)
  );
}

/** The address spelled with its EIP-55 checksum. */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(utf8ToBytes(digits));
  let spelled = '0x';
  for (let i = 0; i < 40; i += 1) {
    const byte = hash[i >> 1] ?? 0;
    const nibble = i % 2 === 0 ? byte >> 4 : byte & 15;
    const digit = digits.charAt(i);
    spelled += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return spelled;
}
