import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { reencryptSecrets, type ReencryptionCounts } from '#shared/platform/secrets/reencrypt-secrets.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { SECRET_PREFIX, type EncryptedSecret } from '#contexts/webhooks/domain/registration/webhook.js';

/** Common to base64 and base64url. 44 characters require no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;

@Injectable()
export class WebhookSecretBox extends SecretBox {
  constructor({ secretKeys }: WebhooksSettings) {
    super('Webhook secrets', secretKeys);
  }
}

@Injectable()
export class AesWebhookSecrets {
  constructor(private readonly box: WebhookSecretBox) {}

  issue(webhook: WebhookId): { secret: string; sealed: EncryptedSecret } {
    const secret = SECRET_PREFIX + randomLetters();
    return { secret, sealed: this.box.encrypt(webhook, secret) };
  }

  /** @returns null if the key is no longer configured, or the secret was encrypted for another webhook */
  open(webhook: WebhookId, sealed: EncryptedSecret): string | null {
    return this.box.decrypt(webhook, sealed);
  }
}

function randomLetters(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_LETTERS[randomInt(SECRET_LETTERS.length)]).join(
    '',
  );
}

const WEBHOOKS_TABLE = 'webhooks.webhooks';

@Injectable()
export class ResealWebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: WebhookSecretBox,
  ) {}

  async reseal(): Promise<ReencryptionCounts> {
    const present = { table: WEBHOOKS_TABLE, keyId: 'secret_key_id', bytes: 'sealed_secret' };
    const previous = {
      table: WEBHOOKS_TABLE,
      keyId: 'previous_secret_key_id',
      bytes: 'previous_sealed_secret',
    };
    const [one, other] = [
      await reencryptSecrets(this.database, this.box, present),
      await reencryptSecrets(this.database, this.box, previous),
    ];
    return { resealed: one.resealed + other.resealed, unreadable: one.unreadable + other.unreadable };
  }
}
