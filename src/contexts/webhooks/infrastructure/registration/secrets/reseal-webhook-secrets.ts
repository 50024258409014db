import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type Resealed } from '#shared/platform/secrets/reseal.js';
import { WebhookSecretBox } from './webhook-secret-box.js';

const TABLE = 'webhooks.webhooks';

/** Present secrets of webhooks, and previous ones that sign beside them. */
@Injectable()
export class ResealWebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: WebhookSecretBox,
  ) {}

  async execute(): Promise<Resealed> {
    const present = { table: TABLE, keyId: 'secret_key_id', bytes: 'sealed_secret' };
    const previous = { table: TABLE, keyId: 'previous_secret_key_id', bytes: 'previous_sealed_secret' };
    const [one, other] = [
      await resealAll(this.database, this.box, present),
      await resealAll(this.database, this.box, previous),
    ];
    return { resealed: one.resealed + other.resealed, unreadable: one.unreadable + other.unreadable };
  }
}
