import { Injectable } from '@nestjs/common';
import {
  concludeAttempt,
  unsent,
  WebhookTransport,
  type Attempt,
  type RetryPlan,
  type SendResult,
} from '../../domain/delivery/attempt.js';
import type { DueDelivery, Message } from '../../domain/delivery/delivery.js';
import { CheckEndpoint } from '../endpoints/check-endpoint.js';
import { WebhookSecrets } from '../../domain/registration/webhooks.js';
import { signDelivery, type OpenSecrets } from './sign-delivery.js';

export interface AttemptDeliveryInput {
  readonly delivery: DueDelivery;
  /** The service's clock, now; it is also the signature's timestamp. */
  readonly startedAt: Date;
  /** null: there is no retry. */
  readonly plan: RetryPlan | null;
}

/** Sends one delivery once: checks where it goes, signs it afresh, posts it and judges the answer. Writes nothing. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly checkEndpoint: CheckEndpoint,
    private readonly secrets: WebhookSecrets,
    private readonly transport: WebhookTransport,
  ) {}

  /** Call outside any transaction. */
  async attempt({ delivery, startedAt, plan }: AttemptDeliveryInput): Promise<Attempt> {
    const number = delivery.attemptsBefore + (plan?.failuresBefore ?? 0) + 1;
    const attempt = { deliveryId: delivery.id, number, startedAt };
    if (!delivery.active) return unsent(attempt);
    const begun = performance.now();
    const result = await this.send(delivery, number, startedAt);
    const durationMs = Math.round(performance.now() - begun);
    return concludeAttempt({ ...attempt, durationMs }, result, plan);
  }

  private async send(message: Message, number: number, at: Date): Promise<SendResult> {
    const secrets = this.open(message);
    if (secrets === null) return { error: 'secret_unavailable' };
    const checked = await this.checkEndpoint.check(message.url);
    if ('rule' in checked) {
      return { error: checked.rule === 'resolvable' ? 'unresolvable' : 'address_not_allowed' };
    }
    // Another address at each attempt, so that one that is dead does not fail them all.
    const address = checked.addresses[(number - 1) % checked.addresses.length]!;
    const headers = signDelivery(message, secrets, at);
    return this.transport.post({ url: checked.url, address, headers, body: message.body });
  }

  /** @returns null where one of them cannot be opened: receivers may be waiting for either signature */
  private open({ webhookId, secrets }: Message): OpenSecrets | null {
    const current = this.secrets.open(webhookId, secrets.current);
    const previous = secrets.previous && this.secrets.open(webhookId, secrets.previous);
    if (current === null || previous === null) return null;
    return previous === undefined ? { current } : { current, previous };
  }
}
