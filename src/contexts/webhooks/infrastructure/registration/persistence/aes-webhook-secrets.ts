import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type ResealCounts } from '#shared/platform/secrets/reseal.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { SECRET_PREFIX, type EncryptedSecret } from '#contexts/webhooks/domain/registration/webhook.js';

/** The letters and digits that base64 and base64url have in common. A text of 44 characters requires no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;

/** Encrypts webhook secrets with the keys of the setting WEBHOOK_SECRET_KEYS. */
@Injectable()
export class WebhookSecretBox extends SecretBox {
  /** @throws Error without a key, for a duplicate key id, or for a key that does not have 32 bytes */
  constructor({ secretKeys }: WebhooksSettings) {
    super('Webhook secrets', secretKeys);
  }
}

@Injectable()
export class AesWebhookSecrets {
  constructor(private readonly box: WebhookSecretBox) {}

  /** Creates a webhook secret: `whsec_` and 44 random letters and digits (262 bits). */
  issue(webhook: WebhookId): { secret: string; sealed: EncryptedSecret } {
    const secret = SECRET_PREFIX + randomLetters();
    return { secret, sealed: this.box.seal(webhook, secret) };
  }

  /** @returns null if the key is no longer configured, or if the secret was encrypted for another webhook */
  open(webhook: WebhookId, sealed: EncryptedSecret): string | null {
    return this.box.open(webhook, sealed);
  }
}

/** Random letters and digits, distributed uniformly, because `randomInt` has no modulo bias. */
function randomLetters(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_LETTERS[randomInt(SECRET_LETTERS.length)]).join(
    '',
  );
}

const WEBHOOKS_TABLE = 'webhooks.webhooks';

/** Encrypts all stored webhook secrets again with the first key. */
@Injectable()
export class ResealWebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: WebhookSecretBox,
  ) {}

  async reseal(): Promise<ResealCounts> {
    const present = { table: WEBHOOKS_TABLE, keyId: 'secret_key_id', bytes: 'sealed_secret' };
    const previous = {
      table: WEBHOOKS_TABLE,
      keyId: 'previous_secret_key_id',
      bytes: 'previous_sealed_secret',
    };
    const [one, other] = [
      await resealAll(this.database, this.box, present),
      await resealAll(this.database, this.box, previous),
    ];
    return { resealed: one.resealed + other.resealed, unreadable: one.unreadable + other.unreadable };
  }
}
