import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { KeyRingEntry } from '../setting-reader.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretCiphertext {
  readonly keyId: string;
  /** Nonce, authentication tag and ciphertext. */
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM (NIST SP 800-38D). The row id is authenticated, so that a secret copied to another row cannot be
 * decrypted.
 */
export class SecretBox {
  /** Encryption keys by id. As `KeyObject`, because Node takes five times as long to use a key from a `Buffer`. */
  private readonly keys: ReadonlyMap<string, KeyObject>;
  /** Id of the key that encrypts. All keys of the ring can decrypt. */
  readonly firstKeyId: string;

  /** @param what names the ring in error messages, such as "Webhook secrets" */
  constructor(what: string, ring: readonly KeyRingEntry[]) {
    this.keys = new Map(ring.map(({ id, secret }) => [id, createSecretKey(secret)]));
    this.firstKeyId = ring[0]?.id ?? '';
    const sound = ring.every(({ secret }) => secret.length === KEY_BYTES);
    if (this.keys.size === 0 || this.keys.size !== ring.length || !sound) {
      throw new Error(
        `${what} need a key ring with at least one key. Each key must have 32 bytes and a unique id.`,
      );
    }
  }

  encrypt(rowId: string, secret: string): SecretCiphertext {
    const keyId = this.firstKeyId;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys.get(keyId)!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(rowId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
  }

  /** @returns null if its key is not in the ring, or if the row id or the bytes are not authentic */
  decrypt(rowId: string, { keyId, bytes }: SecretCiphertext): string | null {
    const key = this.keys.get(keyId);
    if (key === undefined) return null;
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(rowId));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      return null;
    }
  }
}
