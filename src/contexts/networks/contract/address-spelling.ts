import { keccak_256 } from '@noble/hashes/sha3';
import { utf8ToBytes } from '@noble/hashes/utils';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * An address as people write it. On EVM networks that is EIP-55; addresses of other chain types have one spelling. The
 * shape alone decides, so that addresses of networks that are configured no longer are still shown.
 */
export function addressForPeople(address: string): string {
  return EVM_ADDRESS.test(address) ? checksummed(address) : address;
}

/** An address or token in the one spelling in which the contracts of this context have and match it. */
export function canonicalAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address;
}

/** True if the letters' case carries no checksum, or the right one (EIP-55). @param address `0x` and 40 hexadecimal digits */
export function hasGoodChecksum(address: string): boolean {
  const digits = address.slice(2);
  return (
    digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksummed(address)
  );
}

/** True for an EVM address that can have an owner: not zero, and with the right checksum if it is in mixed case. */
export function isSomebodys(text: string): boolean {
  return EVM_ADDRESS.test(text) && !/^0x0{40}$/.test(text) && hasGoodChecksum(text);
}

/** An asset id, for comparing: only the digits of a token's address have no case; `0X`, a symbol or a network spelled otherwise differ. */
export function canonicalAssetId(uniqueAssetId: string): string {
  return uniqueAssetId.replace(/(?<=_t0x)[0-9a-fA-F]{40}$/, (digits) => digits.toLowerCase());
}

/** EIP-55. @param address `0x` and 40 hexadecimal digits */
function checksummed(address: string): string {
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
