import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

const REQUESTS_PER_BATCH = 200;

/** Transfers in an asset that is no longer configured are no longer read. */
@Injectable()
export class FailRequestsOfRemovedAsset {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Fails the open payment requests in a removed asset. Idempotent. @returns their number @throws state_conflict if the asset is still configured */
  async fail(uniqueAssetId: string): Promise<number> {
    if (this.catalogue.asset(uniqueAssetId) !== undefined) {
      throw stateConflict(
        `${uniqueAssetId} is still configured. Remove it from the network configuration and restart the service first.`,
      );
    }
    for (let failed = 0; ;) {
      const batch = await this.failBatch(uniqueAssetId);
      failed += batch;
      if (batch < REQUESTS_PER_BATCH) return failed;
    }
  }

  private failBatch(uniqueAssetId: string): Promise<number> {
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const requests = await this.requests.lockOpenInAsset(uniqueAssetId, REQUESTS_PER_BATCH);
      for (const request of requests) request.fail(now);
      await this.requests.save(requests);
      return requests.length;
    });
  }
}
