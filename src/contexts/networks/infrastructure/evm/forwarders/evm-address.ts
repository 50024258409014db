import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Twenty bytes in hex with `0x`, in any case; says nothing about the checksum. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** True where the letters' case carries no checksum, or the right one. @param address as `isAddress` accepts it */
export function hasGoodChecksum(address: string): boolean {
  const digits = address.slice(2);
  return (
    digits === digits.toLowerCase() ||
    digits === digits.toUpperCase() ||
    address === addressForPeople(address)
  );
}

/**
 * Written in one case an address carries no checksum; in mixed case it must carry the right one of EIP-55, which catches
 * a slip of the hand. The zero address is nobody's.
 */
export function isSomebodys(text: string): boolean {
  return isAddress(text) && text !== ZERO_ADDRESS && hasGoodChecksum(text);
}
