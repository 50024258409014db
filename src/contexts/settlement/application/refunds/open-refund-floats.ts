import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import { floatKeyOf, Sender } from '../../../networks/contract/sender.js';
import { RefundFloats } from '../../domain/refunds/refund-floats.js';

const MOST_AT_ONCE = 100;

/** Says the addresses of floats that are wanted; only a process that holds their keys can. */
@Injectable()
export class OpenRefundFloats {
  constructor(
    private readonly floats: RefundFloats,
    private readonly sender: Sender,
  ) {}

  /** @returns the sentence of the sender where this process holds no such keys and one is wanted */
  async execute(network: string): Promise<string | null> {
    for (const { id, organizationId } of await this.floats.unopened(network, MOST_AT_ONCE)) {
      try {
        await this.floats.open(id, this.sender.addressOf(network, floatKeyOf(organizationId)));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return error.message;
      }
    }
    return null;
  }
}
