import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';

@Injectable()
export class RefundAddressParser {
  constructor(
    private readonly chains: Chains,
    private readonly depositAddresses: KnownDepositAddresses,
    private readonly catalogue: NetworkCatalogue,
    private readonly floats: RefundFloats,
  ) {}

  /**
   * Rejects token contracts, deposit addresses and floats, whose funds the payer could not use.
   * @throws validation_failed
   */
  async parseRefundAddress(network: string, field: string, text: string): Promise<string> {
    const address = canonicalAddress(this.chains.of(network).payoutAddresses.parse(field, text));
    const tokens = this.catalogue.assets().filter((asset) => asset.network === network);
    if (tokens.some(({ token }) => token === address)) {
      throw invalidField(field, 'token_contract', 'is the contract of a token. Use an address of the payer.');
    }
    if (await this.depositAddresses.isDepositAddress(address)) {
      const sentence = 'is a deposit address of this service. Use an address of the payer.';
      throw invalidField(field, 'deposit_address', sentence);
    }
    if (await this.floats.has(network, address)) {
      throw invalidField(
        field,
        'refund_float',
        'is a refund float of this service. Use an address of the payer.',
      );
    }
    return address;
  }
}
