import { invalidField } from '#shared/kernel/domain-error.js';
import { PayoutAddressRules } from '#contexts/networks/contract/payout-address-rules.js';
import { ZERO_ADDRESS } from '../../forwarders/evm-address.js';
import { hexOfTronAddress, tronAddress } from './tron-address.js';
import type { TronForwarders } from './tron-forwarders.js';

/** The last of the low addresses that precompiled contracts may use. */
const LAST_RESERVED_ADDRESS = 0xffff_ffffn;

/** Rejects addresses whose funds could never be moved. */
export class TronPayoutAddressRules extends PayoutAddressRules {
  constructor(private readonly forwarders: TronForwarders) {
    super();
  }

  parse(field: string, text: string): string {
    const hex = hexOfTronAddress(text);
    if (hex === null) {
      throw invalidField(
        field,
        'tron_address',
        'must be a TRON address in Base58Check, which begins with T, such as TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t.',
      );
    }
    if (BigInt(hex) <= LAST_RESERVED_ADDRESS)
      throw invalidField(
        field,
        'reserved_address',
        'must be an address that you control, not a reserved one.',
      );
    const { factory, implementation } = this.forwarders;
    if (text !== factory && text !== implementation) return text;
    const says =
      'is a contract of the deposit addresses. Use an address from which the recipient can spend the funds.';
    throw invalidField(field, text === factory ? 'forwarder_factory' : 'forwarder_implementation', says);
  }

  /** The factory requires the zero address for terms without a fee (solidity/README.md). */
  placeholderFeeRecipient(): string {
    return tronAddress(ZERO_ADDRESS);
  }
}
