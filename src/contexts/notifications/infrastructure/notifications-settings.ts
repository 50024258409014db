import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import { TELEGRAM_API } from '../domain/chat-channel.js';

export class NotificationsSettings {
  constructor(
    /** Encrypt the addresses of chat channels. */
    readonly secretKeys: readonly KeyRingEntry[],
    readonly telegramApi: string = TELEGRAM_API,
  ) {}
}
