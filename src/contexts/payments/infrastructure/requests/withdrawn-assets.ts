import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

/** Warns the operator at start about open requests that cannot be decided, because their asset is not configured. */
@Injectable()
export class WithdrawnAssets implements OnApplicationBootstrap {
  private readonly log = new Logger('payments');

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly requests: PaymentRequests,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const [uniqueAssetId, open] of await this.requests.openByAsset()) {
      if (this.catalogue.asset(uniqueAssetId) !== undefined) continue;
      this.log.error(
        `${open} open payment requests are in ${uniqueAssetId}, which is not configured: what is paid to them is not ` +
          `seen. Configure it again, or end them with the operator's command: asset withdraw ${uniqueAssetId}`,
      );
    }
  }
}
