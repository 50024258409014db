import { invalidField } from '#shared/kernel/domain-error.js';
import { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import { readAddress } from './address-script.js';
import type { DescriptorWallets, NetworkFormats } from './descriptor-wallets.js';

export class BitcoinPayoutAddresses extends PayoutAddresses {
  constructor(
    private readonly formats: NetworkFormats,
    private readonly wallets: DescriptorWallets,
  ) {
    super();
  }

  read(network: string, field: string, text: string): string {
    const format = this.formats.get(network);
    if (format === undefined) throw new Error(`Network ${network} is not configured.`);
    const { address, kind } = readAddress(format, field, text);
    if (kind !== 'future') return address;
    throw invalidField(
      field,
      'future_address',
      'has a version that Bitcoin does not support yet, so anyone could take the funds. Use another address.',
    );
  }

  override readTerms(network: string, field: string, text: string): string {
    if (this.wallets.known(network, field, text) === null)
      throw new Error(`Network ${network} is not configured.`);
    return text;
  }

  /** The payer's transaction has no output to the service. */
  override takesFee(): boolean {
    return false;
  }

  nobody(): string {
    return '';
  }
}
