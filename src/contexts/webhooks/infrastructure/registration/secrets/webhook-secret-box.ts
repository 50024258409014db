import { Injectable } from '@nestjs/common';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { WebhooksSettings } from '../../webhooks-settings.js';

/** Under the key ring of WEBHOOK_SECRET_KEYS. */
@Injectable()
export class WebhookSecretBox extends SecretBox {
  /** @throws Error for an empty key ring, an id that repeats, or a key of another length than 32 bytes */
  constructor({ secretKeys }: WebhooksSettings) {
    super('Webhook secrets', secretKeys);
  }
}
