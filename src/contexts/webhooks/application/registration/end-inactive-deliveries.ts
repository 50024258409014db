import { Injectable } from '@nestjs/common';
import type { WebhookId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { UnwantedDeliveries } from '../../domain/registration/inactive-deliveries.js';

/** How long who deactivates a webhook waits for it. */
export const AT_ONCE_MS = 1_000;

/**
 * Ends what waits for a webhook that wants nothing more, in many small units of work: a hundred thousand deliveries in
 * one would hold up whoever reads the event log, and be undone as a whole when it takes too long.
 */
@Injectable()
export class EndUnwanted {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly unwanted: UnwantedDeliveries,
  ) {}

  /** @param forMs begins no other unit of work after that time; the worker goes on with what is left */
  async execute(webhook: WebhookId, forMs: number): Promise<void> {
    const begun = performance.now();
    let more: boolean;
    do more = await this.unitOfWork.run(() => this.unwanted.endSome(webhook));
    while (more && performance.now() - begun < forMs);
  }
}
