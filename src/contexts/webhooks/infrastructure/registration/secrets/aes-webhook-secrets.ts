import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import {
  SECRET_PREFIX,
  WebhookSecrets,
  type SealedSecret,
} from '#contexts/webhooks/domain/registration/webhook-secrets.js';
import { WebhookSecretBox } from './webhook-secret-box.js';

/** Each is a letter of base64 and of base64url alike, and 44 of them need no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;

/** Encrypted under the key ring of WEBHOOK_SECRET_KEYS. */
@Injectable()
export class AesWebhookSecrets extends WebhookSecrets {
  constructor(private readonly box: WebhookSecretBox) {
    super();
  }

  issue(webhook: WebhookId): { secret: string; sealed: SealedSecret } {
    const secret = SECRET_PREFIX + randomLetters();
    return { secret, sealed: this.box.seal(webhook, secret) };
  }

  open(webhook: WebhookId, sealed: SealedSecret): string | null {
    return this.box.open(webhook, sealed);
  }
}

/** Uniform: `randomInt` draws again where a remainder would favour some letters. */
function randomLetters(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_LETTERS[randomInt(SECRET_LETTERS.length)]).join(
    '',
  );
}
