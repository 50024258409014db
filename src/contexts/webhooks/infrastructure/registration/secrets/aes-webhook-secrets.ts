import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookId } from '../../../../../shared/kernel/ids.js';
import {
  SECRET_PREFIX,
  WebhookSecrets,
  type SealedSecret,
} from '../../../domain/registration/webhook-secrets.js';
import { WebhooksSettings } from '../../webhooks-settings.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Each is a letter of base64 and of base64url alike, and 44 of them need no padding. */
const SECRET_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 44;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM (NIST SP 800-38D), stored as nonce, tag and ciphertext. The webhook's id is authenticated with it, so
 * that a secret copied to another row does not open there.
 */
@Injectable()
export class AesWebhookSecrets extends WebhookSecrets {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: string;

  /** @throws Error for an empty key ring, an id that repeats, or a key of another length than 32 bytes */
  constructor({ secretKeys }: WebhooksSettings) {
    super();
    this.keys = new Map(secretKeys.map(({ id, secret }) => [id, secret]));
    this.current = secretKeys[0]?.id ?? '';
    const sound = secretKeys.every(({ secret }) => secret.length === KEY_BYTES);
    if (this.keys.size === 0 || this.keys.size !== secretKeys.length || !sound) {
      throw new Error(
        'Webhook secrets want a key ring of at least one key, each with an id of its own and 32 bytes.',
      );
    }
  }

  issue(webhook: WebhookId): { secret: string; sealed: SealedSecret } {
    const secret = SECRET_PREFIX + randomLetters();
    const keyId = this.current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys.get(keyId)!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(webhook));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { secret, sealed: { keyId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]) } };
  }

  open(webhook: WebhookId, { keyId, bytes }: SealedSecret): string | null {
    const key = this.keys.get(keyId);
    if (key === undefined) return null;
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(webhook));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch {
      return null;
    }
  }
}

/** Uniform: `randomInt` draws again where a remainder would favour some letters. */
function randomLetters(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_LETTERS[randomInt(SECRET_LETTERS.length)]).join(
    '',
  );
}
