import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';

@Injectable()
export class ReadRefund {
  constructor(private readonly refunds: Refunds) {}

  /** @throws not_found, also for another tenant's */
  async execute(scope: Scope, id: string): Promise<RefundState> {
    return (await this.refunds.find(scope, id)).snapshot;
  }
}
