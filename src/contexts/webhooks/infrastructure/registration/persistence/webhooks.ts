import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { accountNotAllowedError } from '#contexts/identity/contract/account-scope-rule.js';
import { type AuditAction, AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import type {
  WebhookOwner,
  Webhook,
  EncryptedSecret,
  NewWebhook,
  SigningSecrets,
} from '#contexts/webhooks/domain/registration/webhook.js';
import {
  SECRET_COLUMNS,
  signingSecrets,
  WEBHOOK_COLUMNS,
  type SigningSecretsRow,
} from './webhook-queries.js';

type Row = RowOf<Webhook>;

/** Every statement passes these three parameters first. */
const OWNED_WEBHOOK = `id = $1 AND organization_id = $2 AND account_id = $3 AND deleted_at IS NULL`;

/**
 * Every method except `add` throws `not_found`. Methods with `by` record the change in the audit log in the same unit
 * of work.
 */
@Injectable()
export class Webhooks {
  constructor(
    private readonly database: Database,
    private readonly auditLog: AuditLog,
  ) {}

  /** @param max webhooks per account @returns null at the maximum */
  add(webhook: NewWebhook, secret: EncryptedSecret, max: number, by: Actor): Promise<Webhook | null> {
    const { id, organizationId, accountId, url, eventType, description } = webhook;
    return this.database.run(async () => {
      await this.lockAccount(webhook);
      // Concurrent registrations could exceed the maximum, because they do not see each other.
      await this.database.queryInTransaction(
        `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1, 0))`,
        [accountId],
      );
      const [row] = await this.database.queryInTransaction<Row>(
        `INSERT INTO webhooks.webhooks
           (id, organization_id, account_id, url, event_type, description, secret_key_id, sealed_secret)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8
         WHERE (SELECT count(*) FROM webhooks.webhooks WHERE account_id = $3 AND deleted_at IS NULL) < $9
         RETURNING ${WEBHOOK_COLUMNS}`,
        [id, organizationId, accountId, url, eventType, description ?? null, secret.keyId, secret.bytes, max],
      );
      if (row === undefined) return null;
      const added = withoutNulls<Webhook>(row);
      await this.audit('webhook.registered', by, {
        webhook: added,
        before: null,
        after: auditedFieldsOf(added),
      });
      return added;
    });
  }

  find(owner: WebhookOwner, id: WebhookId): Promise<Webhook> {
    return this.requireRow(
      owner,
      id,
      `SELECT ${WEBHOOK_COLUMNS} FROM webhooks.webhooks WHERE ${OWNED_WEBHOOK}`,
    );
  }

  /** @throws state_conflict if the webhook is inactive */
  async findActive(owner: WebhookOwner, id: WebhookId): Promise<Webhook> {
    const webhook = await this.find(owner, id);
    if (webhook.active) return webhook;
    throw stateConflict('The webhook is inactive. Activate it first.');
  }

  changeUrl(owner: WebhookOwner, id: WebhookId, url: string, by: Actor): Promise<Webhook> {
    return this.database.run(async () => {
      const before = await this.lock(owner, id);
      const after = await this.update(owner, id, `url = $4, updated_at = platform.now()`, [url]);
      return this.audited('webhook.url_changed', by, before, after);
    });
  }

  activate(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook> {
    return this.database.run(async () => {
      await this.lockAccount(owner);
      const before = await this.lock(owner, id);
      if (before.active) return before;
      const after = await this.update(
        owner,
        id,
        `active = true, ending_deliveries = false, subscribed_since = pg_current_xact_id(),
         updated_at = platform.now()`,
      );
      return this.audited('webhook.activated', by, before, after);
    });
  }

  deactivate(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook> {
    return this.database.run(async () => {
      const before = await this.lock(owner, id);
      if (!before.active) return before;
      const changes = `active = false, ending_deliveries = true, updated_at = platform.now()`;
      return this.audited('webhook.deactivated', by, before, await this.update(owner, id, changes));
    });
  }

  delete(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<void> {
    return this.database.run(async () => {
      const before = await this.lock(owner, id);
      const deleted = await this.update(
        owner,
        id,
        `active = false, ending_deliveries = ending_deliveries OR active, deleted_at = platform.now(),
         updated_at = platform.now(),
         sealed_secret = '', previous_secret_key_id = NULL, previous_sealed_secret = NULL, previous_secret_until = NULL`,
      );
      await this.audit('webhook.deleted', by, {
        webhook: deleted,
        before: auditedFieldsOf(before),
        after: null,
      });
    });
  }

  /** @returns null while two secrets sign, because a third would replace one that receivers may still use */
  rotateSecret(
    owner: WebhookOwner,
    id: WebhookId,
    secret: EncryptedSecret,
    overlapSeconds: number,
    by: Actor,
  ): Promise<Webhook | null> {
    return this.database.run(async () => {
      const before = await this.lock(owner, id);
      if (before.previousSecretUntil !== undefined) return null;
      const after = await this.update(
        owner,
        id,
        `secret_key_id = $4, sealed_secret = $5,
         previous_secret_key_id = CASE WHEN $6 > 0 THEN secret_key_id END,
         previous_sealed_secret = CASE WHEN $6 > 0 THEN sealed_secret END,
         previous_secret_until = CASE WHEN $6 > 0 THEN platform.now() + make_interval(secs => $6) END,
         updated_at = platform.now()`,
        [secret.keyId, secret.bytes, overlapSeconds],
      );
      return this.audited('webhook.secret_rotated', by, before, after);
    });
  }

  endOverlap(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook> {
    return this.database.run(async () => {
      const before = await this.lock(owner, id);
      const after = await this.update(
        owner,
        id,
        `previous_secret_key_id = NULL, previous_sealed_secret = NULL,
         previous_secret_until = NULL,
         updated_at = CASE WHEN previous_secret_until > platform.now() THEN platform.now() ELSE updated_at END`,
      );
      if (before.previousSecretUntil === undefined) return after;
      return this.audited('webhook.overlap_ended', by, before, after);
    });
  }

  async signingSecrets(owner: WebhookOwner, id: WebhookId): Promise<SigningSecrets> {
    const [row] = await this.database.query<SigningSecretsRow>(
      `SELECT ${SECRET_COLUMNS} FROM webhooks.webhooks WHERE ${OWNED_WEBHOOK}`,
      [id, owner.organizationId, owner.accountId],
    );
    if (row === undefined) throw notFound('webhook');
    return signingSecrets(row);
  }

  /** @throws account_not_allowed if it was deleted concurrently */
  private async lockAccount({ organizationId, accountId }: WebhookOwner): Promise<void> {
    const [row] = await this.database.queryInTransaction<{ held: boolean }>(
      'SELECT identity.public_hold_account($1, $2) AS held',
      [organizationId, accountId],
    );
    if (!row!.held) throw accountNotAllowedError();
  }

  private lock(owner: WebhookOwner, id: WebhookId): Promise<Webhook> {
    return this.requireRow(
      owner,
      id,
      `SELECT ${WEBHOOK_COLUMNS} FROM webhooks.webhooks WHERE ${OWNED_WEBHOOK} FOR NO KEY UPDATE`,
    );
  }

  private async audited(
    action: Extract<AuditAction, `webhook.${string}`>,
    by: Actor,
    before: Webhook,
    after: Webhook,
  ): Promise<Webhook> {
    await this.audit(action, by, {
      webhook: after,
      before: auditedFieldsOf(before),
      after: auditedFieldsOf(after),
    });
    return after;
  }

  private audit(
    action: Extract<AuditAction, `webhook.${string}`>,
    by: Actor,
    { webhook, before, after }: { webhook: Webhook; before: object | null; after: object | null },
  ): Promise<void> {
    const { id, organizationId, updatedAt } = webhook;
    return this.auditLog.record({
      ...by,
      action,
      organizationId,
      subjectId: id,
      before,
      after,
      at: updatedAt,
    });
  }

  private update(
    owner: WebhookOwner,
    id: WebhookId,
    changes: string,
    values: unknown[] = [],
  ): Promise<Webhook> {
    const text = `UPDATE webhooks.webhooks SET ${changes} WHERE ${OWNED_WEBHOOK} RETURNING ${WEBHOOK_COLUMNS}`;
    return this.requireRow(owner, id, text, values);
  }

  private async requireRow(
    owner: WebhookOwner,
    id: WebhookId,
    text: string,
    values: unknown[] = [],
  ): Promise<Webhook> {
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

/** `webhookAuditInvariants` compares them with the stored webhook. */
function auditedFieldsOf({ accountId, url, eventType, active, previousSecretUntil }: Webhook): object {
  return {
    account_id: accountId,
    url,
    event_type: eventType,
    active,
    ...(previousSecretUntil && { previous_secret_until: previousSecretUntil.toISOString() }),
  };
}
