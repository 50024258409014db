import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { PointsOfSale } from '../../point-of-sale/contract/points-of-sale.js';
import { PaymentRequestQueries } from './payment-request-queries.js';
import type { PaymentRequestProgressView } from './payment-request-view.js';
import { PaymentTokens } from './payment-tokens.js';

export interface ReadPaymentRequestInput {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly paymentRequestId: PaymentRequestId;
}

@Injectable()
export class ReadPaymentRequest {
  constructor(
    private readonly queries: PaymentRequestQueries,
    private readonly pointsOfSale: PointsOfSale,
    private readonly tokens: PaymentTokens,
  ) {}

  /** @throws not_found */
  async execute(
    input: ReadPaymentRequestInput,
  ): Promise<{ request: PaymentRequestProgressView; token: string }> {
    const request = await this.queries.find(input.scope, input.pointOfSaleId, input.paymentRequestId);
    const { merchant } = await this.pointsOfSale.find(input.scope, input.pointOfSaleId);
    return { request, token: this.tokens.issue(request, merchant) };
  }
}
