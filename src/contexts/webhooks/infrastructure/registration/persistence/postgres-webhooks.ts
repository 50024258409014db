import { Injectable } from '@nestjs/common';
import { notFound } from '../../../../../shared/kernel/domain-error.js';
import type { WebhookId } from '../../../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../../../shared/kernel/page.js';
import { Database } from '../../../../../shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '../../../../../shared/platform/database/optional-columns.js';
import { pageFrom, type PageRow } from '../../../../../shared/platform/database/page-rows.js';
import { accountNotAllowed } from '../../../../identity/contract/account-scope-rule.js';
import { AuditLog } from '../../../../identity/contract/audit-log.js';
import type { SealedSecret } from '../../../domain/registration/webhook-secrets.js';
import type { Owner, Webhook } from '../../../domain/registration/webhook.js';
import { Webhooks, type NewWebhook, type SigningSecrets } from '../../../domain/registration/webhooks.js';
import { signingSecrets, type SigningSecretsRow } from './signing-secrets-row.js';

type Row = RowOf<Webhook>;

const COLUMNS = `id, organization_id AS "organizationId", account_id AS "accountId", url, event_type AS "eventType",
  description, active, failing AND failing_since IS NOT NULL AS failing, created_at AS "createdAt", updated_at AS "updatedAt",
  CASE WHEN previous_secret_until > platform.now() THEN previous_secret_until END AS "previousSecretUntil"`;

/** Of one webhook, by its owner; $1 to $3 of every statement. */
const OWNED_WEBHOOK = `id = $1 AND organization_id = $2 AND account_id = $3 AND deleted_at IS NULL`;

@Injectable()
export class PostgresWebhooks extends Webhooks {
  constructor(
    private readonly database: Database,
    private readonly auditLog: AuditLog,
  ) {
    super();
  }

  override add(
    webhook: NewWebhook,
    secret: SealedSecret,
    most: number,
    actor: string,
  ): Promise<Webhook | null> {
    const { id, organizationId, accountId, url, eventType, description } = webhook;
    return this.database.run(async () => {
      await this.hold(webhook);
      // Those who register at the same time would not see each other's.
      await this.database.write(`SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1, 0))`, [
        accountId,
      ]);
      const [row] = await this.database.write<Row>(
        `INSERT INTO webhooks.webhooks
           (id, organization_id, account_id, url, event_type, description, secret_key_id, sealed_secret)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8
         WHERE (SELECT count(*) FROM webhooks.webhooks WHERE account_id = $3 AND deleted_at IS NULL) < $9
         RETURNING ${COLUMNS}`,
        [
          id,
          organizationId,
          accountId,
          url,
          eventType,
          description ?? null,
          secret.keyId,
          secret.bytes,
          most,
        ],
      );
      if (row === undefined) return null;
      const added = withoutNulls<Webhook>(row);
      await this.audit('webhook.registered', actor, added);
      return added;
    });
  }

  override async list(
    { organizationId, accountId }: Owner,
    { page, pageSize }: PageRequest,
  ): Promise<Page<Webhook>> {
    const rows = await this.database.query<PageRow<Row>>(
      `WITH registered AS NOT MATERIALIZED (
         SELECT * FROM webhooks.webhooks WHERE account_id = $2 AND organization_id = $1 AND deleted_at IS NULL
       )
       SELECT all_of_them.total, w.*
       FROM (SELECT count(*)::int AS total FROM registered) all_of_them
       LEFT JOIN (SELECT ${COLUMNS} FROM registered ORDER BY id LIMIT $3 OFFSET $4) w ON true
       ORDER BY w.id`,
      [organizationId, accountId, pageSize, (page - 1) * pageSize],
    );
    const { items, total } = pageFrom(rows);
    return { items: items.map((row) => withoutNulls<Webhook>(row)), total };
  }

  override find(owner: Owner, id: WebhookId): Promise<Webhook> {
    return this.one(owner, id, `SELECT ${COLUMNS} FROM webhooks.webhooks WHERE ${OWNED_WEBHOOK}`);
  }

  override changeUrl(owner: Owner, id: WebhookId, url: string, actor: string): Promise<Webhook> {
    return this.database.run(async () => {
      const changed = await this.update(owner, id, `url = $4, updated_at = platform.now()`, [url]);
      await this.audit('webhook.url_changed', actor, changed);
      return changed;
    });
  }

  override activate(owner: Owner, id: WebhookId): Promise<Webhook> {
    return this.database.run(async () => {
      await this.hold(owner);
      return this.update(
        owner,
        id,
        `active = true, ending_deliveries = false,
         subscribed_since = CASE WHEN active THEN subscribed_since ELSE pg_current_xact_id() END,
         updated_at = CASE WHEN active THEN updated_at ELSE platform.now() END`,
      );
    });
  }

  override deactivate(owner: Owner, id: WebhookId): Promise<Webhook> {
    return this.update(
      owner,
      id,
      `active = false, ending_deliveries = ending_deliveries OR active,
         updated_at = CASE WHEN active THEN platform.now() ELSE updated_at END`,
    );
  }

  override delete(owner: Owner, id: WebhookId, actor: string): Promise<void> {
    return this.database.run(async () => {
      const deleted = await this.update(
        owner,
        id,
        `active = false, ending_deliveries = ending_deliveries OR active, deleted_at = platform.now(),
         updated_at = platform.now(),
         sealed_secret = '', previous_secret_key_id = NULL, previous_sealed_secret = NULL, previous_secret_until = NULL`,
      );
      await this.audit('webhook.deleted', actor, deleted, null);
    });
  }

  override async rotateSecret(
    owner: Owner,
    id: WebhookId,
    secret: SealedSecret,
    overlapSeconds: number,
  ): Promise<Webhook | null> {
    const [row] = await this.database.query<Row>(
      `UPDATE webhooks.webhooks SET secret_key_id = $4, sealed_secret = $5,
         previous_secret_key_id = CASE WHEN $6 > 0 THEN secret_key_id END,
         previous_sealed_secret = CASE WHEN $6 > 0 THEN sealed_secret END,
         previous_secret_until = CASE WHEN $6 > 0 THEN platform.now() + make_interval(secs => $6) END,
         updated_at = platform.now()
       WHERE ${OWNED_WEBHOOK} AND (previous_secret_until IS NULL OR previous_secret_until <= platform.now())
       RETURNING ${COLUMNS}`,
      [id, owner.organizationId, owner.accountId, secret.keyId, secret.bytes, overlapSeconds],
    );
    if (row !== undefined) return withoutNulls<Webhook>(row);
    await this.find(owner, id);
    return null;
  }

  override endOverlap(owner: Owner, id: WebhookId): Promise<Webhook> {
    return this.update(
      owner,
      id,
      `previous_secret_key_id = NULL, previous_sealed_secret = NULL,
         previous_secret_until = NULL,
         updated_at = CASE WHEN previous_secret_until > platform.now() THEN platform.now() ELSE updated_at END`,
    );
  }

  override async signingSecrets(owner: Owner, id: WebhookId): Promise<SigningSecrets> {
    const [row] = await this.database.query<SigningSecretsRow>(
      `SELECT secret_key_id, sealed_secret, previous_secret_key_id, previous_sealed_secret,
         previous_secret_until > platform.now() AS overlapping
       FROM webhooks.webhooks WHERE ${OWNED_WEBHOOK}`,
      [id, owner.organizationId, owner.accountId],
    );
    if (row === undefined) throw notFound('webhook');
    return signingSecrets(row);
  }

  /** An account that has an active webhook is not deleted. @throws account_not_allowed where it was, meanwhile */
  private async hold({ organizationId, accountId }: Owner): Promise<void> {
    const [row] = await this.database.write<{ held: boolean }>(
      'SELECT identity.public_hold_account($1, $2) AS held',
      [organizationId, accountId],
    );
    if (!row!.held) throw accountNotAllowed();
  }

  /** @param after what is compared with the row (webhook-audit-invariants.ts) */
  private audit(
    action: `webhook.${string}`,
    actor: string,
    { id, organizationId, accountId, url, eventType, updatedAt }: Webhook,
    after: object | null = { account_id: accountId, url, event_type: eventType },
  ): Promise<void> {
    const entry = { actor, action, organizationId, subjectId: id, before: null, after, at: updatedAt };
    return this.auditLog.record(entry);
  }

  private update(owner: Owner, id: WebhookId, changes: string, values: unknown[] = []): Promise<Webhook> {
    const text = `UPDATE webhooks.webhooks SET ${changes} WHERE ${OWNED_WEBHOOK} RETURNING ${COLUMNS}`;
    return this.one(owner, id, text, values);
  }

  private async one(owner: Owner, id: WebhookId, text: string, values: unknown[] = []): Promise<Webhook> {
    const [row] = await this.database.query<Row>(text, [
      id,
      owner.organizationId,
      owner.accountId,
      ...values,
    ]);
    if (row === undefined) throw notFound('webhook');
    return withoutNulls<Webhook>(row);
  }
}
