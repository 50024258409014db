import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ExplanationQueries, type StoredReading } from './explanation-queries.js';
import type { ReadingShown, RequestExplanation } from './explanation-view.js';
import { explainRequest } from './request-sentence.js';

/** Explains why a payment request is or is not paid, from the blocks read so far. Calls no node. */
@Injectable()
export class ExplainPaymentRequest {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * @param pointOfSale required owner; null accepts any point of sale in scope
   * @throws not_found
   */
  async explain(
    scope: Scope,
    pointOfSale: PointOfSaleId | null,
    id: PaymentRequestId,
  ): Promise<RequestExplanation> {
    const stored = await this.queries.request(scope, pointOfSale, id);
    return explainRequest({ ...stored, networks: withLag(stored.networks, this.catalogue) });
  }
}

/** Adds whether each network lags more than its configuration allows. A network that is no longer configured always counts as behind. */
export function withLag(readings: readonly StoredReading[], catalogue: NetworkCatalogue): ReadingShown[] {
  return readings.map((reading) => {
    const network = catalogue.network(reading.network);
    const most = network?.maxLagSeconds;
    const isBehind =
      most === undefined || reading.behindSeconds === undefined || reading.behindSeconds > most;
    const followsPending = network?.pendingGraceSeconds !== undefined;
    return { ...reading, isBehind, ...(followsPending && { followsPending }) };
  });
}
