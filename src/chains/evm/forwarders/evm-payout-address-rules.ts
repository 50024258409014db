import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { toDisplayAddress, hasGoodChecksum } from '#contexts/networks/contract/address-spelling.js';
import { PayoutAddressRules } from '#contexts/networks/contract/payout-address-rules.js';
import { ZERO_ADDRESS, isAddress } from '../../forwarders/evm-address.js';
import type { ForwarderDerivations } from './forwarder-derivations.js';

/** The last of the low addresses that EIP-1352 reserves for precompiled and system contracts. */
const LAST_RESERVED_ADDRESS = 0xffffn;

/** Rejects addresses whose funds could never be moved. */
export class EvmPayoutAddressRules extends PayoutAddressRules {
  constructor(
    private readonly network: string,
    private readonly derivations: ForwarderDerivations,
  ) {
    super();
  }

  parse(field: string, text: string): string {
    if (text === ZERO_ADDRESS) {
      throw invalidField(
        field,
        'zero_address',
        'must be an EVM address that you control, not the zero address.',
      );
    }
    if (!isAddress(text) || !hasGoodChecksum(text)) {
      throw invalidField(
        field,
        'evm_address',
        'must be an EVM address in lower case or with a valid EIP-55 checksum.',
      );
    }
    const address = toDisplayAddress(text);
    if (BigInt(address) <= LAST_RESERVED_ADDRESS) {
      throw paysNothingOut(field, 'precompiled_contract', 'a precompiled contract, or reserved for one');
    }
    const forwarders = this.derivations.configured(this.network);
    if (address === forwarders?.factory) {
      throw paysNothingOut(field, 'forwarder_factory', 'the factory of the deposit addresses');
    }
    if (address === forwarders?.implementation) {
      throw paysNothingOut(field, 'forwarder_implementation', 'the implementation of the deposit addresses');
    }
    return address;
  }

  /** The factory requires the zero address for terms without a fee (solidity/README.md). */
  placeholderFeeRecipient(): string {
    return ZERO_ADDRESS;
  }
}

function paysNothingOut(field: string, rule: string, what: string): DomainError {
  return invalidField(
    field,
    rule,
    `is ${what}. Use an address from which the recipient can spend the funds.`,
  );
}
