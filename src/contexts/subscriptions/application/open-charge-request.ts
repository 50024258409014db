import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { ChargeRequests } from '#contexts/payments/contract/charge-requests.js';
import { Subscriptions } from '../domain/subscriptions.js';

/** `refused`: payments could not open the request, so the attempt must be repeated. */
export type OpenChargeRequestResult =
  { readonly result: 'opened' } | { readonly result: 'refused'; readonly why: DomainError };

/** Safe to repeat after a crash, because the request's id was stored before. */
@Injectable()
export class OpenChargeRequest {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly chargeRequests: ChargeRequests,
  ) {}

  async open(id: PaymentRequestId): Promise<OpenChargeRequestResult> {
    const planned = await this.subscriptions.findPlannedChargeRequest(id);
    if (planned === null) return { result: 'opened' };
    const { organizationId, accountId, pointOfSaleId, uniqueAssetId, referenceId } = planned;
    try {
      await this.chargeRequests.open({
        id,
        pointOfSaleId,
        uniqueAssetId,
        referenceId,
        scope: { organizationId, accountId },
        amount: formatAmount(planned.amount, planned.decimals),
      });
      return { result: 'opened' };
    } catch (error) {
      // A temporary outage does not count as a refusal.
      if (!(error instanceof DomainError) || error.code === 'writing_stopped') throw error;
      await this.subscriptions.recordChargeRequestRefusal(id, error.message);
      return { result: 'refused', why: error };
    }
  }
}
