import { keccak_256 } from '@noble/hashes/sha3';
import { utf8ToBytes } from '@noble/hashes/utils';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Only the shape of the address decides, so addresses of networks that are no longer configured still display
 * correctly.
 */
export function toDisplayAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? checksummed(address) : address;
}

/** Returns the canonical spelling of an address or token. */
export function canonicalAddress(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address;
}

/** Returns SQL for the canonical spelling of the address in this column. */
export function canonicalAddressSql(column: string): string {
  return `CASE WHEN ${column} LIKE '0x%' THEN lower(${column}) ELSE ${column} END`;
}

/** True if the address is all lower case, all upper case, or has a valid EIP-55 checksum. */
export function hasGoodChecksum(address: string): boolean {
  const digits = address.slice(2);
  return (
    digits === digits.toLowerCase() || digits === digits.toUpperCase() || address === checksummed(address)
  );
}

/** True for an EVM address that can have an owner: not zero, and with a valid checksum if in mixed case. */
export function isUsableEvmAddress(text: string): boolean {
  return EVM_ADDRESS.test(text) && !/^0x0{40}$/.test(text) && hasGoodChecksum(text);
}

/** Only the digits of a token address are case-insensitive. */
export function canonicalAssetId(uniqueAssetId: string): string {
  return uniqueAssetId.replace(/(?<=_t0x)[0-9a-fA-F]{40}$/, (digits) => digits.toLowerCase());
}

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
