import { Injectable } from '@nestjs/common';
import {
  concludeAttempt,
  failUnsentAttempt,
  WebhookTransport,
  type Attempt,
  type RetryPlan,
  type SendResult,
} from '../../domain/delivery/attempt.js';
import type { DueDelivery, DeliveryMessage } from '../../domain/delivery/delivery.js';
import { ValidateWebhookUrl } from '../endpoints/validate-webhook-url.js';
import { AesWebhookSecrets } from '../../infrastructure/registration/persistence/aes-webhook-secrets.js';
import { signDelivery, type DecryptedSecrets } from './sign-delivery.js';

export interface AttemptDeliveryInput {
  readonly delivery: DueDelivery;
  /** Time of the service's clock; also the timestamp of the signature. */
  readonly startedAt: Date;
  /** Null if a failed attempt is not retried. */
  readonly plan: RetryPlan | null;
}

@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly validateWebhookUrl: ValidateWebhookUrl,
    private readonly secrets: AesWebhookSecrets,
    private readonly transport: WebhookTransport,
  ) {}

  /** Not within a transaction, because the request can take seconds. */
  async attempt({ delivery, startedAt, plan }: AttemptDeliveryInput): Promise<Attempt> {
    const number = delivery.attemptsBefore + (plan?.failuresBefore ?? 0) + 1;
    const attempt = { deliveryId: delivery.id, number, startedAt };
    if (!delivery.active) return failUnsentAttempt(attempt);
    const begun = performance.now();
    const result = await this.send(delivery, number, startedAt);
    const durationMs = Math.round(performance.now() - begun);
    return concludeAttempt({ ...attempt, durationMs }, result, plan);
  }

  private async send(message: DeliveryMessage, number: number, at: Date): Promise<SendResult> {
    const secrets = this.open(message);
    if (secrets === null) return { error: 'secret_unavailable' };
    const checked = await this.validateWebhookUrl.validate(message.url);
    if ('rule' in checked) {
      return { error: checked.rule === 'resolvable' ? 'unresolvable' : 'address_not_allowed' };
    }
    // Each attempt uses the next address, so that a single dead address does not fail all attempts.
    const address = checked.addresses[(number - 1) % checked.addresses.length]!;
    const headers = signDelivery(message, secrets, at);
    return this.transport.post({ url: checked.url, address, headers, body: message.body });
  }

  /** @returns null if either secret cannot be decrypted: the receiver may verify with either of them */
  private open({ webhookId, secrets }: DeliveryMessage): DecryptedSecrets | null {
    const current = this.secrets.open(webhookId, secrets.current);
    const previous = secrets.previous && this.secrets.open(webhookId, secrets.previous);
    if (current === null || previous === null) return null;
    return previous === undefined ? { current } : { current, previous };
  }
}
