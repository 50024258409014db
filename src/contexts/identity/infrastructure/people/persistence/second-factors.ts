import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { newId, type CollaboratorId, type DashboardSessionId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import type { EnrolledFactors, Passkey } from '#contexts/identity/domain/people/second-factors.js';
import { PENDING_FACTOR_VALID_MINUTES } from '#contexts/identity/application/people/dashboard-sessions.js';
import { newTotpSecret } from '#contexts/identity/application/people/one-time-codes.js';
import { AuthenticatorSecretBox } from './authenticator-secrets.js';

interface AuthenticatorRow {
  id: string;
  keyId: string;
  sealedSecret: Buffer;
}

const SELECT_PENDING_SECRET = `SELECT id, key_id, sealed_secret FROM identity.pending_secrets
  WHERE session_id = $1 AND expires_at > platform.now()`;

@Injectable()
export class SecondFactors {
  constructor(
    private readonly database: Database,
    private readonly box: AuthenticatorSecretBox,
  ) {}

  async readEnrolledFactors(person: CollaboratorId): Promise<EnrolledFactors> {
    const [row] = await this.database.query<{
      authenticatorSince: Date | null;
      passkeys: (Omit<Passkey, 'publicKey' | 'lastUsedAt' | 'createdAt'> & {
        publicKey: string;
        lastUsedAt: string | null;
        createdAt: string;
      })[];
      recoveryCodesLeft: number;
    }>(
      `SELECT
         (SELECT confirmed_at FROM identity.authenticators WHERE collaborator_id = $1) AS authenticator_since,
         (SELECT count(*)::integer FROM identity.recovery_codes WHERE collaborator_id = $1) AS recovery_codes_left,
         (SELECT COALESCE(json_agg(json_build_object('id', id, 'credentialId', encode(credential_id, 'base64'),
             'publicKey', encode(public_key, 'base64'), 'signCount', sign_count, 'transports', transports, 'name', name,
             'lastUsedAt', last_used_at, 'createdAt', created_at) ORDER BY id), '[]')
           FROM identity.passkeys WHERE collaborator_id = $1) AS passkeys`,
      [person],
    );
    const { authenticatorSince, recoveryCodesLeft, passkeys } = row!;
    return {
      authenticatorSince,
      recoveryCodesLeft,
      passkeys: passkeys.map((passkey) => ({
        ...passkey,
        credentialId: Buffer.from(passkey.credentialId, 'base64').toString('base64url'),
        publicKey: Buffer.from(passkey.publicKey, 'base64'),
        lastUsedAt: passkey.lastUsedAt === null ? null : new Date(passkey.lastUsedAt),
        createdAt: new Date(passkey.createdAt),
      })),
    };
  }

  /** Base32; valid for ten minutes, at most until the session ends. @returns null if the session has ended */
  async findOrCreatePendingSecret(session: DashboardSessionId): Promise<string | null> {
    const [id, secret] = [newId(), newTotpSecret()];
    const { keyId, bytes } = this.box.encrypt(id, secret);
    await this.database.query(
      `INSERT INTO identity.pending_secrets AS p (session_id, id, key_id, sealed_secret, created_at, expires_at)
       SELECT s.id, $2, $3, $4, now, now + interval '${PENDING_FACTOR_VALID_MINUTES} minutes'
       FROM identity.dashboard_sessions s, platform.now() AS now WHERE s.id = $1
       ON CONFLICT (session_id) DO UPDATE SET id = excluded.id, key_id = excluded.key_id,
         sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, expires_at = excluded.expires_at
       WHERE p.expires_at <= excluded.created_at`,
      [session, id, keyId, bytes],
    );
    return this.decryptSecret(await this.database.query<AuthenticatorRow>(SELECT_PENDING_SECRET, [session]));
  }

  async lockPendingSecret(session: DashboardSessionId): Promise<string | null> {
    return this.decryptSecret(
      await this.database.queryInTransaction<AuthenticatorRow>(`${SELECT_PENDING_SECRET} FOR UPDATE`, [
        session,
      ]),
    );
  }

  async findAuthenticatorSecret(person: CollaboratorId): Promise<string | null> {
    const rows = await this.database.query<AuthenticatorRow>(
      'SELECT id, key_id, sealed_secret FROM identity.authenticators WHERE collaborator_id = $1',
      [person],
    );
    return this.decryptSecret(rows);
  }

  private decryptSecret([row]: AuthenticatorRow[]): string | null {
    return row === undefined ? null : this.box.decrypt(row.id, { keyId: row.keyId, bytes: row.sealedSecret });
  }

  /** @param step time step of the code that confirmed the secret */
  async confirmAuthenticator(
    person: CollaboratorId,
    session: DashboardSessionId,
    step: number,
    at: Date,
  ): Promise<void> {
    await this.database.queryInTransaction(
      `WITH taken AS (DELETE FROM identity.pending_secrets WHERE session_id = $2 RETURNING *)
       INSERT INTO identity.authenticators
         (id, collaborator_id, key_id, sealed_secret, last_step, confirmed_at, created_at)
       SELECT id, $1, key_id, sealed_secret, $3, $4, created_at FROM taken
       ON CONFLICT (collaborator_id) DO UPDATE SET id = excluded.id, key_id = excluded.key_id,
         sealed_secret = excluded.sealed_secret, last_step = excluded.last_step, confirmed_at = excluded.confirmed_at,
         created_at = excluded.created_at`,
      [person, session, step, at],
    );
  }

  /** @returns false if a code of this or a later time step was already accepted */
  async acceptStep(person: CollaboratorId, step: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.authenticators SET last_step = $2
       WHERE collaborator_id = $1 AND last_step < $2 RETURNING 1`,
      [person, step],
    );
    return rows.length > 0;
  }

  async removeAuthenticator(person: CollaboratorId): Promise<void> {
    await this.database.queryInTransaction('DELETE FROM identity.authenticators WHERE collaborator_id = $1', [
      person,
    ]);
  }

  /** @throws DomainError on `answer` if the passkey is already registered (WebAuthn 3, 7.1) */
  async addPasskey(person: CollaboratorId, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<void> {
    const credentialId = Buffer.from(passkey.credentialId, 'base64url');
    const added = await this.database.queryInTransaction(
      ...buildInsertSql(
        'identity.passkeys',
        { ...passkey, collaboratorId: person, credentialId },
        'ON CONFLICT (credential_id) DO NOTHING RETURNING 1',
      ),
    );
    if (added.length === 0)
      throw invalidField(
        'answer',
        'passkey',
        'belongs to a passkey that is already set up. Use another passkey.',
      );
  }

  /** @returns the passkey's name */
  async removePasskey(person: CollaboratorId, id: string): Promise<string | null> {
    const [row] = await this.database.queryInTransaction<{ name: string }>(
      'DELETE FROM identity.passkeys WHERE collaborator_id = $1 AND id::text = $2 RETURNING name',
      [person, id],
    );
    return row?.name ?? null;
  }

  /** False if the counter did not increase, which indicates a cloned key (WebAuthn 3, 6.1.1). */
  async recordPasskeyUse(person: CollaboratorId, credentialId: string, signCount: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.passkeys SET sign_count = $3, last_used_at = platform.now()
       WHERE collaborator_id = $1 AND credential_id = $2 AND (sign_count < $3 OR sign_count = 0 AND $3 = 0) RETURNING 1`,
      [person, Buffer.from(credentialId, 'base64url'), signCount],
    );
    return rows.length > 0;
  }

  async replaceRecoveryCodes(person: CollaboratorId, digests: readonly Buffer[]): Promise<void> {
    await this.database.queryInTransaction('DELETE FROM identity.recovery_codes WHERE collaborator_id = $1', [
      person,
    ]);
    await this.database.queryInTransaction(
      'INSERT INTO identity.recovery_codes (collaborator_id, code_digest) SELECT $1, unnest($2::bytea[])',
      [person, digests],
    );
  }

  /** @returns false if it does not exist or was already used */
  async useRecoveryCode(person: CollaboratorId, digest: Buffer): Promise<boolean> {
    const rows = await this.database.query(
      'DELETE FROM identity.recovery_codes WHERE collaborator_id = $1 AND code_digest = $2 RETURNING 1',
      [person, digest],
    );
    return rows.length > 0;
  }
}
