import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type Resealed } from '#shared/platform/secrets/reseal.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import {
  SECRET_PREFIX,
  WebhookSecrets,
  type SealedSecret,
} from '#contexts/webhooks/domain/registration/webhooks.js';

/** Each is a letter of base64 and of base64url alike, and 44 of them need no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;

/** Seals secrets under the key ring of WEBHOOK_SECRET_KEYS. */
@Injectable()
export class WebhookSecretBox extends SecretBox {
  /** @throws Error for an empty key ring, an id that repeats, or a key of another length than 32 bytes */
  constructor({ secretKeys }: WebhooksSettings) {
    super('Webhook secrets', secretKeys);
  }
}

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

const TABLE = 'webhooks.webhooks';

/** Seals the present secrets of webhooks anew, and the previous ones that sign beside them. */
@Injectable()
export class ResealWebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: WebhookSecretBox,
  ) {}

  async reseal(): Promise<Resealed> {
    const present = { table: TABLE, keyId: 'secret_key_id', bytes: 'sealed_secret' };
    const previous = { table: TABLE, keyId: 'previous_secret_key_id', bytes: 'previous_sealed_secret' };
    const [one, other] = [
      await resealAll(this.database, this.box, present),
      await resealAll(this.database, this.box, previous),
    ];
    return { resealed: one.resealed + other.resealed, unreadable: one.unreadable + other.unreadable };
  }
}
