import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import {
  auditedFieldsOfSubscription,
  subscriptionNotAcceptedError,
  type WalletReference,
  type SubscriptionSnapshot,
  type Wallet,
} from '../domain/subscription-snapshot.js';
import type { Subscription } from '../domain/subscription.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { Wallets } from '../infrastructure/persistence/wallets.js';
import { normalizePageCode } from './payer-page.js';

/** An open payment request can still be paid until it expires. Safe to repeat. */
@Injectable()
export class RevokeSubscription {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly wallets: Wallets,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
  ) {}

  byMerchant(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    id: SubscriptionId,
    audited?: Actor,
  ): Promise<SubscriptionSnapshot> {
    return this.revoke(
      () => this.subscriptions.lock(scope, id, pointOfSale),
      async (subscription, now) => {
        const before = subscription.snapshot;
        subscription.revoke('merchant', now);
        if (audited !== undefined) await this.audit(before, subscription.snapshot, audited, now);
      },
    );
  }

  private async audit(
    before: SubscriptionSnapshot,
    after: SubscriptionSnapshot,
    by: Actor,
    at: Date,
  ): Promise<void> {
    if (before.status === after.status) return;
    await this.auditLog.record({
      ...by,
      action: 'subscription.revoked',
      organizationId: after.organizationId,
      subjectId: after.id,
      before: auditedFieldsOfSubscription(before),
      after: auditedFieldsOfSubscription(after),
      at,
    });
  }

  /** @throws not_found; state_conflict if another wallet or no wallet has accepted the subscription */
  byWallet(scope: TenantScope, id: SubscriptionId, named: WalletReference): Promise<SubscriptionSnapshot> {
    return this.revoke(
      () => this.subscriptions.lock(scope, id),
      async (subscription, now) => {
        const wallet = await this.walletOf(subscription.snapshot.organizationId, named);
        if (wallet === null) throw subscriptionNotAcceptedError();
        subscription.revokeByWallet(wallet, now);
      },
    );
  }

  byPayer(code: string): Promise<SubscriptionSnapshot> {
    return this.revoke(
      async () => {
        const subscription = await this.subscriptions.lockByPageCode(normalizePageCode(code));
        if (subscription === null) throw notFound('subscription');
        return subscription;
      },
      (subscription, now) => subscription.revoke('payer', now),
    );
  }

  private revoke(
    lock: () => Promise<Subscription>,
    decide: (subscription: Subscription, now: Date) => void | Promise<void>,
  ): Promise<SubscriptionSnapshot> {
    return this.unitOfWork.run(async () => {
      const subscription = await lock();
      await decide(subscription, await this.clock.now());
      await this.subscriptions.save([subscription]);
      return subscription.snapshot;
    });
  }

  private walletOf(organizationId: OrganizationId, named: WalletReference): Promise<Wallet | null> {
    return 'id' in named
      ? this.wallets.find(organizationId, named.id)
      : this.wallets.byExternalId(organizationId, named.externalId);
  }
}
