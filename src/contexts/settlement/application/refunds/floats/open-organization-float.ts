import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  floatKeyName,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { RefundFloat } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';

/** Opens a float before the first refund, so that it has an address to top up. Safe to repeat. */
@Injectable()
export class OpenOrganizationFloat {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly floats: RefundFloats,
    private readonly sender: OutboundTransactionSender,
  ) {}

  async open(organization: OrganizationId, network: string): Promise<RefundFloat> {
    const configured = this.catalogue.network(network);
    if (configured === undefined)
      throw invalidField('network', 'network', 'must be one of this service’s networks.');
    if (configured.deliversDirectly)
      throw invalidField(
        'network',
        'float_network',
        'has no refund floats: merchants’ own wallets receive payments and pay refunds.',
      );
    const address = this.sender.addressOf(network, floatKeyName(organization));
    const float = await this.floats.findOrCreate(organization, network);
    await this.floats.setAddress(float.id, address);
    return this.floats.findOrCreate(organization, network);
  }
}
