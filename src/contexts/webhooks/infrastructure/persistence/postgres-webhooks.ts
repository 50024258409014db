import { Injectable } from '@nestjs/common';
import { Database } from '../../../../shared/platform/database/database.js';
import type { SealedSecret } from '../../domain/webhook-secrets.js';
import type { Webhook } from '../../domain/webhook.js';
import { Webhooks, type NewWebhook } from '../../domain/webhooks.js';

@Injectable()
export class PostgresWebhooks extends Webhooks {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(webhook: NewWebhook, secret: SealedSecret): Promise<Webhook> {
    const { id, organizationId, accountId, url, eventType, description } = webhook;
    const [row] = await this.database.query<Pick<Webhook, 'active' | 'failing' | 'createdAt' | 'updatedAt'>>(
      `INSERT INTO webhooks.webhooks
         (id, organization_id, account_id, url, event_type, description, secret_key_id, sealed_secret)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       RETURNING active, failing, created_at AS "createdAt", updated_at AS "updatedAt"`,
      [id, organizationId, accountId, url, eventType, description ?? null, secret.keyId, secret.bytes],
    );
    return { ...webhook, ...row! };
  }
}
