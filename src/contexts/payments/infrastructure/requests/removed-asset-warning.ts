import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

/** Warns at startup about open requests whose asset is no longer configured, because they cannot be evaluated. */
@Injectable()
export class RemovedAssetWarning implements OnApplicationBootstrap {
  private readonly log = new OperatorLogWriter('payments', PAYMENTS_LOG_EVENTS);

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly requests: PaymentRequests,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const [uniqueAssetId, open] of await this.requests.countOpenByAsset()) {
      if (this.catalogue.asset(uniqueAssetId) !== undefined) continue;
      this.log.write('asset.not_configured', { unique_asset_id: uniqueAssetId, open_requests: open });
    }
  }
}
