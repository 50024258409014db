import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import {
  auditableSubscription,
  subscriptionNotAccepted,
  type NamedWallet,
  type SubscriptionState,
  type Wallet,
} from '../domain/subscription-state.js';
import type { Subscription } from '../domain/subscription.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { Wallets } from '../infrastructure/persistence/wallets.js';
import { codeToQuery } from './payer-page.js';

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
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: SubscriptionId,
    audited?: Actor,
  ): Promise<SubscriptionState> {
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
    before: SubscriptionState,
    after: SubscriptionState,
    by: Actor,
    at: Date,
  ): Promise<void> {
    if (before.status === after.status) return;
    await this.auditLog.record({
      ...by,
      action: 'subscription.revoked',
      organizationId: after.organizationId,
      subjectId: after.id,
      before: auditableSubscription(before),
      after: auditableSubscription(after),
      at,
    });
  }

  /** @throws not_found; state_conflict if another wallet or no wallet has accepted the subscription */
  byWallet(scope: Scope, id: SubscriptionId, named: NamedWallet): Promise<SubscriptionState> {
    return this.revoke(
      () => this.subscriptions.lock(scope, id),
      async (subscription, now) => {
        const wallet = await this.walletOf(subscription.snapshot.organizationId, named);
        if (wallet === null) throw subscriptionNotAccepted();
        subscription.revokeByWallet(wallet, now);
      },
    );
  }

  byPayer(code: string): Promise<SubscriptionState> {
    return this.revoke(
      async () => {
        const subscription = await this.subscriptions.lockByCode(codeToQuery(code));
        if (subscription === null) throw notFound('subscription');
        return subscription;
      },
      (subscription, now) => subscription.revoke('payer', now),
    );
  }

  private revoke(
    lock: () => Promise<Subscription>,
    decide: (subscription: Subscription, now: Date) => void | Promise<void>,
  ): Promise<SubscriptionState> {
    return this.unitOfWork.run(async () => {
      const subscription = await lock();
      await decide(subscription, await this.clock.now());
      await this.subscriptions.save([subscription]);
      return subscription.snapshot;
    });
  }

  private walletOf(organizationId: OrganizationId, named: NamedWallet): Promise<Wallet | null> {
    return 'id' in named
      ? this.wallets.find(organizationId, named.id)
      : this.wallets.byExternalId(organizationId, named.externalId);
  }
}
