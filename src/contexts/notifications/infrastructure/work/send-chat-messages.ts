import { Injectable } from '@nestjs/common';
import { PublicHttpPost } from '#contexts/webhooks/contract/public-http-post.js';
import { buildChannelRequest } from '../../domain/chat-channel.js';
import { NotificationsSettings } from '../../application/notifications-settings.js';
import { ChatChannels, type DueChannelMessage } from '../persistence/chat-channels.js';

const MESSAGES_AT_ONCE = 20;
/** Longer than an attempt takes, so that no other process sends the message at the same time. */
const CLAIM_SECONDS = 30;
/** A message is given up after the attempt that follows the last delay. */
const RETRY_DELAYS_SECONDS = [30, 300, 1_800, 7_200];

/** A process that is killed after a chat has accepted a message sends it again. */
@Injectable()
export class SendChatMessages {
  constructor(
    private readonly channels: ChatChannels,
    private readonly publicPost: PublicHttpPost,
    private readonly settings: NotificationsSettings,
  ) {}

  /** @returns true if more messages may be due */
  async send(): Promise<boolean> {
    const due = await this.channels.claimDue(MESSAGES_AT_ONCE, CLAIM_SECONDS);
    await Promise.all(due.map((message) => this.attempt(message)));
    return due.length === MESSAGES_AT_ONCE;
  }

  private async attempt(message: DueChannelMessage): Promise<void> {
    const error = await this.post(message);
    const delay = RETRY_DELAYS_SECONDS[message.attempts - 1];
    if (error === null || delay === undefined) await this.channels.finish(message, error);
    else await this.channels.delay(message.id, delay);
  }

  private async post({ address, ...message }: DueChannelMessage): Promise<string | null> {
    if (address === null) return 'secret_unavailable';
    const { url, body } = buildChannelRequest(address, message, this.settings.telegramApi);
    return this.publicPost.postJson(url, body);
  }
}
