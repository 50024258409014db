import { TELEGRAM_API } from '../domain/chat-channel.js';

export class NotificationsSettings {
  constructor(
    /** Encrypt the addresses of chat channels. 256 bits. The first key encrypts; the others only decrypt. */
    readonly secretKeys: readonly { readonly id: string; readonly secret: Buffer }[],
    readonly telegramApi: string = TELEGRAM_API,
  ) {}
}
