import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';

/** How long a request that deactivates or deletes a webhook waits for its deliveries to end. */
export const MAX_WAIT_MS = 1_000;

/** Pending deliveries of webhooks that were deactivated or deleted. */
export abstract class InactiveDeliveries {
  /** Some of the inactive webhooks that may still have pending deliveries. */
  abstract webhooks(): Promise<WebhookId[]>;
  /**
   * Ends some deliveries of a webhook as failed, with an entry in its attempt log; waits for no lock, and refuses to run
   * outside a unit of work. A delivery that is being attempted is ended by the worker that attempts it, and one queued
   * meanwhile by the worker that claims it.
   * @returns whether there may be more
   */
  abstract endSome(webhook: WebhookId): Promise<boolean>;
}

/**
 * Ends the pending deliveries of an inactive webhook in many small units of work: a hundred thousand deliveries in one
 * would hold up every reader of the event log, and be undone as a whole on a timeout.
 */
@Injectable()
export class EndInactiveDeliveries {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inactiveDeliveries: InactiveDeliveries,
  ) {}

  /** @param forMs begins no other unit of work after that time; the worker continues with the rest */
  async execute(webhook: WebhookId, forMs: number): Promise<void> {
    const begun = performance.now();
    let more: boolean;
    do more = await this.unitOfWork.run(() => this.inactiveDeliveries.endSome(webhook));
    while (more && performance.now() - begun < forMs);
  }
}
