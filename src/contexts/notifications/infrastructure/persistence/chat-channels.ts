import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { reencryptSecrets, type ReencryptionCounts } from '#shared/platform/secrets/reencrypt-secrets.js';
import { SecretBox, type SecretCiphertext } from '#shared/platform/secrets/secret-box.js';
import {
  MAX_CHANNELS_PER_RULE,
  type ChannelAddress,
  type ChannelKind,
  type ChannelMessage,
  type ChannelReference,
} from '../../domain/chat-channel.js';
import type { NotificationRule, NotificationRuleId } from '../../domain/notification-rule.js';
import { NotificationsSettings } from '../../application/notifications-settings.js';

export interface ChannelView {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly label: string;
  readonly failingSince: Date | null;
  readonly lastError: string | null;
}

export interface DueChannelMessage extends ChannelMessage {
  readonly id: string;
  readonly channelId: string;
  /** Includes the attempt that follows. */
  readonly attempts: number;
  /** Null if the key that encrypted it is no longer in the settings. */
  readonly address: ChannelAddress | null;
}

type AddressRow = SecretCiphertext & { readonly kind: ChannelKind };

export const SELECT_DUE_CHANNEL_MESSAGES_SQL = `SELECT id FROM ${selectDueIdsRoundRobin({
  table: 'notices.channel_messages',
  waits: 'true',
  isDue: 't.due_at <= platform.now()',
  oldestFirst: 't.due_at',
  limit: '$1',
})} taken ORDER BY turn`;

/** A worker that is killed after this leaves the message to be sent again. */
const CLAIM_MESSAGES = `
UPDATE notices.channel_messages m SET attempts = m.attempts + 1, due_at = platform.now() + make_interval(secs => $2)
FROM notices.channels c
WHERE c.id = m.channel_id AND m.id IN (
  SELECT id FROM notices.channel_messages WHERE id IN (${SELECT_DUE_CHANNEL_MESSAGES_SQL}) AND due_at <= platform.now()
  FOR UPDATE SKIP LOCKED)
RETURNING m.id, m.channel_id, m.title, m.body, m.attempts, c.kind, c.key_id, c.sealed_address AS bytes`;

@Injectable()
export class ChatChannels {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    settings: NotificationsSettings,
  ) {
    this.box = new SecretBox('Addresses of chat channels', settings.secretKeys);
  }

  ofRule(owner: OrganizationId, rule: NotificationRuleId): Promise<ChannelView[]> {
    return this.database.query<ChannelView>(
      `SELECT id, kind, label, failing_since, last_error FROM notices.channels
       WHERE organization_id = $1 AND rule_id = $2 ORDER BY id`,
      [owner, rule],
    );
  }

  /** The caller must hold the lock of the rule. @returns null at the maximum number of channels */
  async add(
    { id: ruleId, organizationId }: NotificationRule,
    { kind, label, address }: ChannelAddress & { readonly label: string },
    at: Date,
  ): Promise<string | null> {
    const id = newId<string>();
    const { keyId, bytes } = this.box.encrypt(id, address);
    const added = await this.database.queryInTransaction(
      `INSERT INTO notices.channels (id, rule_id, organization_id, kind, label, key_id, sealed_address, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM notices.channels WHERE rule_id = $2) < ${MAX_CHANNELS_PER_RULE} RETURNING 1`,
      [id, ruleId, organizationId, kind, label, keyId, bytes, at],
    );
    return added.length > 0 ? id : null;
  }

  /** Deletes its waiting messages too. @throws not_found */
  async remove(reference: ChannelReference): Promise<Pick<ChannelView, 'kind' | 'label'>> {
    const [removed] = await this.database.queryInTransaction<Pick<ChannelView, 'kind' | 'label'>>(
      `DELETE FROM notices.channels WHERE organization_id = $1 AND rule_id = $2 AND id = $3 RETURNING kind, label`,
      [reference.organizationId, reference.ruleId, reference.channelId],
    );
    if (removed === undefined) throw notFound('channel');
    return removed;
  }

  /** @throws not_found @returns null if the key that encrypted it is no longer in the settings */
  async address(reference: ChannelReference): Promise<ChannelAddress | null> {
    const [row] = await this.database.query<AddressRow>(
      `SELECT kind, key_id, sealed_address AS bytes FROM notices.channels
       WHERE organization_id = $1 AND rule_id = $2 AND id = $3`,
      [reference.organizationId, reference.ruleId, reference.channelId],
    );
    if (row === undefined) throw notFound('channel');
    return this.decrypt(reference.channelId, row);
  }

  /** One message for each channel of the rule, in the caller's unit of work. */
  async queue(rule: NotificationRuleId, { title, body }: ChannelMessage): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO notices.channel_messages (id, channel_id, organization_id, title, body, due_at)
       SELECT gen_random_uuid(), id, organization_id, $2, $3, platform.now() FROM notices.channels WHERE rule_id = $1`,
      [rule, title, body],
    );
  }

  /** @param seconds after which the messages are due again, unless they are deleted or delayed before */
  async claimDue(limit: number, seconds: number): Promise<DueChannelMessage[]> {
    const rows = await this.database.query<Omit<DueChannelMessage, 'address'> & AddressRow>(CLAIM_MESSAGES, [
      limit,
      seconds,
    ]);
    return rows.map(({ kind, keyId, bytes, ...message }) => ({
      ...message,
      address: this.decrypt(message.channelId, { kind, keyId, bytes }),
    }));
  }

  async delay(message: string, seconds: number): Promise<void> {
    await this.database.query(
      'UPDATE notices.channel_messages SET due_at = platform.now() + make_interval(secs => $2) WHERE id = $1',
      [message, seconds],
    );
  }

  /** Deletes a message that was delivered, or given up with an error. */
  async finish({ id, channelId }: DueChannelMessage, error: string | null): Promise<void> {
    await this.database.query(
      `WITH ended AS (DELETE FROM notices.channel_messages WHERE id = $1)
       UPDATE notices.channels SET last_error = $3,
         failing_since = CASE WHEN $3::text IS NOT NULL THEN COALESCE(failing_since, platform.now()) END
       WHERE id = $2 AND ($3::text IS NOT NULL OR failing_since IS NOT NULL)`,
      [id, channelId, error],
    );
  }

  reseal(): Promise<ReencryptionCounts> {
    const columns = { table: 'notices.channels', keyId: 'key_id', bytes: 'sealed_address' };
    return reencryptSecrets(this.database, this.box, columns);
  }

  private decrypt(channel: string, { kind, ...sealed }: AddressRow): ChannelAddress | null {
    const address = this.box.decrypt(channel, sealed);
    return address === null ? null : { kind, address };
  }
}
