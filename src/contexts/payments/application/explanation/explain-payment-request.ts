import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { ExplanationQueries } from './explanation-queries.js';
import type { RequestExplanation } from './explanation-view.js';
import { judged } from './network-lag.js';
import { explainRequest } from './request-explanation.js';

/** Says why a payment request is or is not paid, from what was read of the chains so far; asks no node. */
@Injectable()
export class ExplainPaymentRequest {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** @throws not_found */
  async execute(scope: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<RequestExplanation> {
    const stored = await this.queries.request(scope, pointOfSale, id);
    return explainRequest({ ...stored, networks: judged(stored.networks, this.catalogue) });
  }
}
