import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { digestOf } from '#contexts/identity/application/secret.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';

export const ONE_TIME_SECRET_VALID_MINUTES = 5;
const KEY_BYTES = 32;
const KEY_ID = 'cookie';

/** Only the browser stores the key: it is the token. */
@Injectable()
export class PostgresOneTimeSecretStore extends OneTimeSecretStore {
  constructor(private readonly database: Database) {
    super();
  }

  async storeSecret(session: DashboardSessionId, page: string, secret: string): Promise<string> {
    const key = randomBytes(KEY_BYTES);
    const token = key.toString('base64url');
    await this.database.query(
      `INSERT INTO identity.shown_once (token_digest, session_id, page, sealed_secret, expires_at)
       VALUES ($1, $2, $3, $4, platform.now() + interval '${ONE_TIME_SECRET_VALID_MINUTES} minutes')`,
      [digestOf(token), session, page, secretBoxOf(key).encrypt(page, secret).bytes],
    );
    return token;
  }

  async consumeSecret(session: DashboardSessionId, page: string, token = ''): Promise<string | null> {
    const key = Buffer.from(token, 'base64url');
    if (key.length !== KEY_BYTES) return null;
    const [row] = await this.database.query<{ sealedSecret: Buffer }>(
      `DELETE FROM identity.shown_once
       WHERE token_digest = $1 AND session_id = $2 AND page = $3 AND expires_at > platform.now() RETURNING sealed_secret`,
      [digestOf(token), session, page],
    );
    return row === undefined
      ? null
      : secretBoxOf(key).decrypt(page, { keyId: KEY_ID, bytes: row.sealedSecret });
  }
}

function secretBoxOf(secret: Buffer): SecretBox {
  return new SecretBox('Secrets shown once', [{ id: KEY_ID, secret }]);
}
