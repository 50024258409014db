import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import {
  floatKeyName,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { RefundFloat } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';

const FLOATS_PER_QUERY = 100;

export interface FloatWithoutKey {
  readonly organizationId: OrganizationId;
  readonly says: string;
}

/** Only a process that holds a float's key can derive its address. */
@Injectable()
export class AssignFloatAddresses {
  constructor(
    private readonly floats: RefundFloats,
    private readonly sender: OutboundTransactionSender,
  ) {}

  /** Returns the new floats whose keys this process does not hold. They do not delay the others. */
  async assign(network: string): Promise<FloatWithoutKey[]> {
    const without: FloatWithoutKey[] = [];
    for (let after: string | null = null; ;) {
      const floats: RefundFloat[] = await this.floats.listWithoutAddress(network, after, FLOATS_PER_QUERY);
      for (const { id, organizationId } of floats) {
        const address = this.addressOf(network, organizationId);
        if (typeof address === 'string') await this.floats.setAddress(id, address);
        else without.push(address);
      }
      if (floats.length < FLOATS_PER_QUERY) return without;
      after = floats.at(-1)!.id;
    }
  }

  private addressOf(network: string, organizationId: OrganizationId): string | FloatWithoutKey {
    try {
      return this.sender.addressOf(network, floatKeyName(organizationId));
    } catch (error) {
      return { organizationId, says: error instanceof Error ? error.message : String(error) };
    }
  }
}
