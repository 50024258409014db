import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type DeliveryId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { RateLimits } from '#shared/kernel/rate-limits.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import type { TestDelivery } from '../../domain/delivery/delivery.js';
import type { WebhookOwner, WebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';
import { serializeMerchantEventBody } from '../events/notifications.js';
import { AttemptDelivery } from './attempt-delivery.js';
import type { LoggedAttempt } from '../../infrastructure/delivery/persistence/attempt-log.js';
import { Deliveries } from '../../infrastructure/delivery/persistence/deliveries.js';

/** Per webhook and minute, so that a merchant cannot flood a host. */
export const WEBHOOK_TESTS_PER_MINUTE = 30;

export interface TestWebhookInput extends WebhookReference {
  readonly idempotency?: IdempotentCreation<LoggedAttempt> | undefined;
}

@Injectable()
export class TestWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly attemptDelivery: AttemptDelivery,
    private readonly limits: RateLimits,
    private readonly idempotentCreations: IdempotentCreations,
  ) {}

  /** @throws account_not_allowed, not_found, state_conflict if the webhook is inactive, RateLimited, IdempotencyKeyTaken */
  async test({ scope, accountId, webhookId, idempotency }: TestWebhookInput): Promise<LoggedAttempt> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    const { url, active } = await this.webhooks.findActive(owner, webhookId);
    this.limits.require(`webhook test ${webhookId}`, WEBHOOK_TESTS_PER_MINUTE);
    const secrets = await this.webhooks.signingSecrets(owner, webhookId);
    const test: TestDelivery = { ...newTest(owner), webhookId };
    const delivery = { ...test, messageId: test.id, url, active, secrets, attemptsBefore: 0 };
    return this.idempotentCreations.reserveDuring(idempotency, async () => {
      const attempt = await this.attemptDelivery.attempt({
        delivery,
        startedAt: await this.clock.now(),
        plan: null,
      });
      return this.idempotentCreations.run(idempotency, () => this.record(test, attempt));
    });
  }

  private async record(test: TestDelivery, attempt: Attempt): Promise<LoggedAttempt> {
    const id = await this.unitOfWork.run(() => this.deliveries.recordTest(test, attempt));
    const { webhookId, eventType, paymentRequestId } = test;
    return { ...attempt, id, webhookId, eventType, paymentRequestId };
  }
}

function newTest({ organizationId, accountId }: WebhookOwner): Omit<TestDelivery, 'webhookId'> {
  const paymentRequestId = newId<PaymentRequestId>();
  return {
    id: newId<DeliveryId>(),
    organizationId,
    accountId,
    eventType: 'payment_request',
    paymentRequestId,
    body: serializeMerchantEventBody({
      type: 'payment_request.status_changed',
      aggregateId: paymentRequestId,
      accountId,
      data: { status: 'processing', paymentRequestType: 'fixed', pointOfSaleId: newId() },
    }),
  };
}
