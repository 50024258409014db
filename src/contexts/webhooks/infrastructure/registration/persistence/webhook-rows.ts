import type { SigningSecrets } from '#contexts/webhooks/domain/registration/webhooks.js';

/** The columns of a webhook; none of them proves a secret. */
export const WEBHOOK_COLUMNS = `id, organization_id, account_id, url, event_type, description, active,
  failing AND failing_since IS NOT NULL AS failing, created_at, updated_at,
  CASE WHEN previous_secret_until > platform.now() THEN previous_secret_until END AS previous_secret_until`;

/** The columns of a webhook that its signing secrets are read from. */
export const SECRET_COLUMNS = `secret_key_id, sealed_secret, previous_secret_key_id, previous_sealed_secret,
  previous_secret_until > platform.now() AS overlapping`;

export interface SigningSecretsRow {
  secretKeyId: string;
  sealedSecret: Buffer;
  previousSecretKeyId: string | null;
  previousSealedSecret: Buffer | null;
  /** True while the previous one signs too. */
  overlapping: boolean | null;
}

export function signingSecrets(row: SigningSecretsRow): SigningSecrets {
  const current = { keyId: row.secretKeyId, bytes: row.sealedSecret };
  if (row.overlapping !== true) return { current };
  return { current, previous: { keyId: row.previousSecretKeyId!, bytes: row.previousSealedSecret! } };
}
