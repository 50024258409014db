import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { OLDEST_FIRST } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import type {
  WebhookOwner,
  Webhook,
  SigningSecrets,
} from '#contexts/webhooks/domain/registration/webhook.js';

export const WEBHOOK_COLUMNS = `id, organization_id, account_id, url, event_type, description, active,
  failing AND failing_since IS NOT NULL AS failing, created_at, updated_at,
  CASE WHEN previous_secret_until > platform.now() THEN previous_secret_until END AS previous_secret_until`;

/** `failing_since` is the first failure after the last acknowledged attempt. */
const SHOWN_COLUMNS = `${WEBHOOK_COLUMNS}, failing_since IS NOT NULL AS last_attempt_failed`;

export const SECRET_COLUMNS = `secret_key_id, sealed_secret, previous_secret_key_id, previous_sealed_secret,
  previous_secret_until > platform.now() AS overlapping`;

export interface SigningSecretsRow {
  secretKeyId: string;
  sealedSecret: Buffer;
  previousSecretKeyId: string | null;
  previousSealedSecret: Buffer | null;
  overlapping: boolean | null;
}

export function signingSecrets(row: SigningSecretsRow): SigningSecrets {
  const current = { keyId: row.secretKeyId, bytes: row.sealedSecret };
  if (row.overlapping !== true) return { current };
  return { current, previous: { keyId: row.previousSecretKeyId!, bytes: row.previousSealedSecret! } };
}

export interface WebhookView extends Webhook {
  readonly accountName?: string;
  /** The latest sent attempt failed. Includes tests. */
  readonly lastAttemptFailed: boolean;
}

@Injectable()
export class WebhookQueries {
  constructor(private readonly database: Database) {}

  async listOfAccount(
    { organizationId, accountId }: WebhookOwner,
    page: PageRequest,
  ): Promise<Page<Webhook>> {
    const rows = await this.database.queryReplica<PageRow<RowOf<Webhook>>>(
      `WITH registered AS NOT MATERIALIZED (
         SELECT * FROM webhooks.webhooks WHERE account_id = $2 AND organization_id = $1 AND deleted_at IS NULL
       )
       SELECT all_of_them.total, w.*
       FROM (SELECT count(*)::int AS total FROM registered) all_of_them
       LEFT JOIN (SELECT ${WEBHOOK_COLUMNS} FROM registered WHERE ${OLDEST_FIRST.pagingSql(3)}) w ON true
       ORDER BY w.id`,
      [organizationId, accountId, ...OLDEST_FIRST.parameters(page)],
    );
    return OLDEST_FIRST.page(rows, page, (row) => withoutNulls<Webhook>(row));
  }

  async list(organizationId: OrganizationId, page: PageRequest): Promise<Page<WebhookView>> {
    const rows = await this.database.queryReplica<PageRow<RowOf<WebhookView>>>(
      `WITH registered AS NOT MATERIALIZED (
         SELECT * FROM webhooks.webhooks WHERE organization_id = $1 AND deleted_at IS NULL
       )
       SELECT all_of_them.total, w.*, a.name AS account_name
       FROM (SELECT count(*)::int AS total FROM registered) all_of_them
       LEFT JOIN (SELECT ${SHOWN_COLUMNS} FROM registered WHERE ${OLDEST_FIRST.pagingSql(2)}) w ON true
       LEFT JOIN identity.public_accounts a ON a.id = w.account_id
       ORDER BY w.id`,
      [organizationId, ...OLDEST_FIRST.parameters(page)],
    );
    return OLDEST_FIRST.page(rows, page, (row) => withoutNulls<WebhookView>(row));
  }

  /** @throws not_found */
  async find(organizationId: OrganizationId, id: WebhookId): Promise<WebhookView> {
    const [row] = await this.database.query<RowOf<WebhookView>>(
      `SELECT w.*, a.name AS account_name
       FROM (SELECT ${SHOWN_COLUMNS} FROM webhooks.webhooks
             WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL) w
       LEFT JOIN identity.public_accounts a ON a.id = w.account_id`,
      [id, organizationId],
    );
    if (row === undefined) throw notFound('webhook');
    return withoutNulls<WebhookView>(row);
  }
}
