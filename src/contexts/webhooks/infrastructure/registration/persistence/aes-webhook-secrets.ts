import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type ResealCounts } from '#shared/platform/secrets/reseal.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { SECRET_PREFIX, type EncryptedSecret } from '#contexts/webhooks/domain/registration/webhook.js';

/** The letters and digits that base64 and base64url share. 44 of them require no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;

/** Encrypts secrets with the keys of WEBHOOK_SECRET_KEYS. */
@Injectable()
export class WebhookSecretBox extends SecretBox {
  /** @throws Error for no key, a duplicate id, or a key that does not have 32 bytes */
  constructor({ secretKeys }: WebhooksSettings) {
    super('Webhook secrets', secretKeys);
  }
}

@Injectable()
export class AesWebhookSecrets {
  constructor(private readonly box: WebhookSecretBox) {}

  /** Creates a secret: `whsec_` and 44 random letters and digits (262 bits). It is displayed once. */
  issue(webhook: WebhookId): { secret: string; sealed: EncryptedSecret } {
    const secret = SECRET_PREFIX + randomLetters();
    return { secret, sealed: this.box.seal(webhook, secret) };
  }

  /** @returns null if the key was removed, or if the bytes belong to another webhook */
  open(webhook: WebhookId, sealed: EncryptedSecret): string | null {
    return this.box.open(webhook, sealed);
  }
}

/** Uniformly distributed: `randomInt` has no modulo bias. */
function randomLetters(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_LETTERS[randomInt(SECRET_LETTERS.length)]).join(
    '',
  );
}

const TABLE = 'webhooks.webhooks';

/** Encrypts the current and previous secrets of webhooks with the first key. */
@Injectable()
export class ResealWebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: WebhookSecretBox,
  ) {}

  async reseal(): Promise<ResealCounts> {
    const present = { table: TABLE, keyId: 'secret_key_id', bytes: 'sealed_secret' };
    const previous = { table: TABLE, keyId: 'previous_secret_key_id', bytes: 'previous_sealed_secret' };
    const [one, other] = [
      await resealAll(this.database, this.box, present),
      await resealAll(this.database, this.box, previous),
    ];
    return { resealed: one.resealed + other.resealed, unreadable: one.unreadable + other.unreadable };
  }
}
