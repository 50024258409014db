import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type SubscriptionId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { WalletReference, SubscriptionSnapshot } from '../domain/subscription-snapshot.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { Wallets } from '../infrastructure/persistence/wallets.js';

@Injectable()
export class AcceptSubscription {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly wallets: Wallets,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** If the same wallet accepts again, nothing changes. @throws not_found, state_conflict */
  accept(scope: TenantScope, id: SubscriptionId, named: WalletReference): Promise<SubscriptionSnapshot> {
    return this.unitOfWork.run(async () => {
      const subscription = await this.subscriptions.lock(scope, id);
      const { organizationId } = subscription.snapshot;
      const wallet =
        'id' in named
          ? await this.wallets.find(organizationId, named.id)
          : await this.wallets.findOrAdd(organizationId, named.externalId);
      subscription.accept(wallet, await this.clock.now(), newId);
      await this.subscriptions.save([subscription]);
      return subscription.snapshot;
    });
  }
}
