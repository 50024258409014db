import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { invalidField } from '../../../shared/kernel/domain-error.js';

/**
 * An address that money can go to, with its EIP-55 checksum. Written in one case it carries no checksum; in mixed case
 * it must carry the right one, which catches a slip of the hand. @throws DomainError, also for the zero address
 */
export function evmAddressFrom(field: string, text: string): string {
  const digits = text.slice(2);
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text) && !/^0+$/.test(digits);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isAddress || !(isOneCase || text === checksummed(digits))) {
    throw invalidField(
      field,
      'evm_address',
      'must be an EVM address, in lower case or with its EIP-55 checksum.',
    );
  }
  return checksummed(digits);
}

function checksummed(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return `0x${[...lower].map((digit, at) => (parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}
