import { Injectable } from '@nestjs/common';
import { invalidField, unavailable } from '#shared/kernel/domain-error.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { MerchantEvents } from '../../infrastructure/events/persistence/merchant-events.js';
import { Redeliveries, type ReplayRange } from '../../infrastructure/redelivery/persistence/redeliveries.js';
import type { WebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';
import { RedeliveryLimiter } from './redelivery-limiter.js';

/** A larger replay would lock the webhook's deliveries for too long. */
export const MAX_REPLAYED_EVENTS = 10_000;

export interface ReplayEventsInput extends WebhookReference, ReplayRange {
  readonly dryRun: boolean;
  /** Accepted for a dry run too, although it creates nothing. */
  readonly idempotency?: IdempotentCreation<number> | undefined;
}

/** Includes events that the webhook has already received. */
@Injectable()
export class ReplayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly events: MerchantEvents,
    private readonly redeliveries: Redeliveries,
    private readonly limiter: RedeliveryLimiter,
    private readonly idempotentCreations: IdempotentCreations,
  ) {}

  /**
   * @returns the number of deliveries that are sent, or would be sent in a dry run @throws DomainError
   * account_not_allowed, not_found, validation_failed on `to`, unavailable if events are not recorded yet or during
   * another replay, state_conflict if the webhook is inactive, rate_limited; IdempotencyKeyTaken
   */
  async replay({
    scope,
    accountId,
    webhookId,
    from,
    to,
    dryRun,
    idempotency,
  }: ReplayEventsInput): Promise<number> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    if (from >= to) throw invalidField('to', 'after_from', 'must be later than from.');
    if (!(await this.events.areRecordedUntil(to))) {
      throw unavailable('Some events before `to` are still being recorded. Try again in a minute.');
    }
    if (dryRun) {
      const counted = await this.webhooks.find(owner, webhookId);
      return this.idempotentCreations.run(idempotency, () =>
        this.redeliveries.countEventsToReplay(counted, { from, to }),
      );
    }
    const webhook = await this.webhooks.findActive(owner, webhookId);
    const count = await this.redeliveries.countEventsToReplay(webhook, { from, to });
    if (count > MAX_REPLAYED_EVENTS) {
      throw invalidField(
        'to',
        'too_many',
        `leaves ${count} events in the range; the maximum is ${MAX_REPLAYED_EVENTS}. Replay shorter ranges, each starting where ` +
          'the previous one ends. dry_run returns the number of events in a range.',
      );
    }
    return this.limiter.replay(webhook.organizationId, webhookId, () =>
      this.idempotentCreations.run(idempotency, () =>
        this.unitOfWork.run(() => this.redeliveries.replay(webhook, { from, to })),
      ),
    );
  }
}
