import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor, type AuditAction } from '#contexts/identity/contract/audit-log.js';
import { PublicHttpPost } from '#contexts/webhooks/contract/public-http-post.js';
import {
  buildChannelRequest,
  MAX_CHANNELS_PER_RULE,
  parseChannelAddress,
  type ChannelReference,
} from '../domain/chat-channel.js';
import { NotificationsSettings } from './notifications-settings.js';
import { ChatChannels } from '../infrastructure/persistence/chat-channels.js';
import { NotificationRules } from '../infrastructure/persistence/notification-rules.js';

type RuleReference = Omit<ChannelReference, 'channelId'>;

const TEST_MESSAGE = {
  title: 'Test message',
  body: 'This channel receives the notifications of a rule in the dashboard.',
};

@Injectable()
export class ChangeChatChannels {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rules: NotificationRules,
    private readonly channels: ChatChannels,
    private readonly publicPost: PublicHttpPost,
    private readonly settings: NotificationsSettings,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws validation_failed on `kind` or `address`, not_found, or state_conflict at the maximum number of channels */
  async add(rule: RuleReference, actor: Actor, submitted: { kind: string; address: string }): Promise<void> {
    const parsed = parseChannelAddress(submitted.kind, submitted.address);
    if (parsed.kind !== 'telegram') await this.publicPost.requirePublicUrl('address', parsed.address);
    await this.unitOfWork.run(async () => {
      const locked = await this.rules.lockRule(rule.organizationId, rule.ruleId);
      if (!(await this.channels.add(locked, parsed, await this.clock.now())))
        throw stateConflict(
          `The rule already has ${MAX_CHANNELS_PER_RULE} chat channels, the maximum. Remove one first.`,
        );
      const { kind, label } = parsed;
      await this.record('mail_rule.channel_added', rule, actor, { before: null, after: { kind, label } });
    });
  }

  /** Waiting messages are not sent. @throws not_found */
  async remove(channel: ChannelReference, actor: Actor): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = await this.channels.remove(channel);
      await this.record('mail_rule.channel_removed', channel, actor, { before, after: null });
    });
  }

  /** Sends one message, outside a transaction. @throws not_found, or state_conflict if it is not accepted */
  async sendTest(channel: ChannelReference): Promise<void> {
    const address = await this.channels.address(channel);
    const request = address && buildChannelRequest(address, TEST_MESSAGE, this.settings.telegramApi);
    const error = request ? await this.publicPost.postJson(request.url, request.body) : 'secret_unavailable';
    if (error !== null)
      throw stateConflict(
        `The channel did not accept the test message (${error}). Check its address; remove it and add it again to change it.`,
      );
  }

  private async record(
    action: AuditAction,
    { organizationId, ruleId: subjectId }: RuleReference,
    { actor, address }: Actor,
    change: { readonly before: object | null; readonly after: object | null },
  ): Promise<void> {
    const at = await this.clock.now();
    await this.auditLog.record({ actor, address, action, organizationId, subjectId, ...change, at });
  }
}
