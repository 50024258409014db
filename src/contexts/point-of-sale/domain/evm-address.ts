import { invalidField } from '../../../shared/kernel/domain-error.js';
import { checksummed, hasGoodChecksum, isAddress, ZERO_ADDRESS } from '../../../shared/kernel/evm-address.js';

/**
 * An address that money can go to, with its EIP-55 checksum. Written in one case it carries no checksum; in mixed case
 * it must carry the right one, which catches a slip of the hand. @throws DomainError, also for the zero address
 */
export function evmAddressFrom(field: string, text: string): string {
  if (!isAddress(text) || text === ZERO_ADDRESS || !hasGoodChecksum(text)) {
    throw invalidField(
      field,
      'evm_address',
      'must be an EVM address, in lower case or with its EIP-55 checksum.',
    );
  }
  return checksummed(text);
}
