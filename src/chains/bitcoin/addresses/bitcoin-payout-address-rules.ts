import { invalidField } from '#shared/kernel/domain-error.js';
import { PayoutAddressRules } from '#contexts/networks/contract/payout-address-rules.js';
import type { AddressFormat } from './address-format.js';
import { readAddress } from './address-script.js';
import type { DescriptorWallets } from './descriptor-wallets.js';

export class BitcoinPayoutAddressRules extends PayoutAddressRules {
  constructor(
    private readonly format: AddressFormat,
    private readonly wallets: DescriptorWallets,
  ) {
    super();
  }

  parse(field: string, text: string): string {
    const { address, kind } = readAddress(this.format, field, text);
    if (kind !== 'future') return address;
    throw invalidField(
      field,
      'future_address',
      'has a version that Bitcoin does not support yet, so anyone could take the funds. Use another address.',
    );
  }

  override parseSettlementAddress(field: string, text: string): string {
    this.wallets.parse(field, text);
    return text;
  }

  /** False: the payer's transaction pays only the merchant and has no output that could pay a fee to the service. */
  override supportsFee(): boolean {
    return false;
  }

  placeholderFeeRecipient(): string {
    return '';
  }
}
