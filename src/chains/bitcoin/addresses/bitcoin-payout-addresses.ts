import { invalidField } from '#shared/kernel/domain-error.js';
import { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import type { AddressFormat } from './address-format.js';
import { readAddress } from './address-script.js';
import type { DescriptorWallets } from './descriptor-wallets.js';

export class BitcoinPayoutAddresses extends PayoutAddresses {
  constructor(
    private readonly format: AddressFormat,
    private readonly wallets: DescriptorWallets,
  ) {
    super();
  }

  read(field: string, text: string): string {
    const { address, kind } = readAddress(this.format, field, text);
    if (kind !== 'future') return address;
    throw invalidField(
      field,
      'future_address',
      'has a version that Bitcoin does not support yet, so anyone could take the funds. Use another address.',
    );
  }

  override readTerms(field: string, text: string): string {
    this.wallets.known(field, text);
    return text;
  }

  /** False: the payer's transaction pays only the merchant and has no output that could pay a fee to the service. */
  override takesFee(): boolean {
    return false;
  }

  nobody(): string {
    return '';
  }
}
