import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ExplanationQueries } from '../../infrastructure/explanation/persistence/explanation-queries.js';
import type { StoredNetworkProgress } from '../../infrastructure/explanation/persistence/explanation-row.js';
import type { DisplayedReadProgress, RequestExplanation } from './explanation-view.js';
import { explainRequest } from './request-sentence.js';

/** Explains from the blocks read so far. Calls no node. */
@Injectable()
export class ExplainPaymentRequest {
  constructor(
    private readonly queries: ExplanationQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** @param pointOfSale must own the request; null: any point of sale in scope @throws not_found */
  async explain(
    scope: TenantScope,
    pointOfSale: PointOfSaleId | null,
    id: PaymentRequestId,
  ): Promise<RequestExplanation> {
    const stored = await this.queries.readRequest(scope, pointOfSale, id);
    return explainRequest({ ...stored, networks: addLag(stored.networks, this.catalogue) });
  }
}

/** A network that is no longer configured is always behind. */
export function addLag(
  readings: readonly StoredNetworkProgress[],
  catalogue: NetworkCatalogue,
): DisplayedReadProgress[] {
  return readings.map((reading) => {
    const network = catalogue.network(reading.network);
    const most = network?.maxLagSeconds;
    const isBehind =
      most === undefined || reading.behindSeconds === undefined || reading.behindSeconds > most;
    const followsPending = network?.pendingGraceSeconds !== undefined;
    return { ...reading, isBehind, ...(followsPending && { followsPending }) };
  });
}
