import { Injectable } from '@nestjs/common';
import { concludeAttempt, type Attempt, type SendResult } from '../domain/attempt.js';
import type { DueDelivery } from '../domain/delivery.js';
import { Endpoints } from '../domain/endpoints.js';
import { WebhookSecrets } from '../domain/webhook-secrets.js';
import { WebhookTransport } from '../domain/webhook-transport.js';
import { signDelivery } from './sign-delivery.js';

export interface AttemptDeliveryInput {
  readonly delivery: DueDelivery;
  /** Counted from 1. */
  readonly number: number;
  /** The service's clock, now; it is also the signature's timestamp. */
  readonly startedAt: Date;
  /** In [0, 1), spreads the next attempt. */
  readonly chance: number;
}

/** Sends one delivery once: checks where it goes, signs it afresh, posts it and says what follows. Writes nothing. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly secrets: WebhookSecrets,
    private readonly transport: WebhookTransport,
  ) {}

  /** Call outside any transaction. */
  async execute({ delivery, number, startedAt, chance }: AttemptDeliveryInput): Promise<Attempt> {
    const begun = performance.now();
    const result = await this.send(delivery, number, startedAt);
    const durationMs = Math.round(performance.now() - begun);
    return concludeAttempt({ deliveryId: delivery.id, number, startedAt, durationMs }, result, chance);
  }

  private async send(delivery: DueDelivery, number: number, at: Date): Promise<SendResult> {
    const secret = this.secrets.open(delivery.webhookId, delivery.secret);
    if (secret === null) return { error: 'secret_unavailable' };
    const checked = await this.endpoints.check(delivery.url);
    if ('rule' in checked) {
      return { error: checked.rule === 'resolvable' ? 'unresolvable' : 'address_not_allowed' };
    }
    // Another address at each attempt, so that one that is dead does not fail them all.
    const address = checked.addresses[(number - 1) % checked.addresses.length]!;
    const headers = signDelivery(delivery, secret, at);
    return this.transport.post({ url: checked.url, address, headers, body: delivery.body });
  }
}
