import type { SigningSecrets } from '#contexts/webhooks/domain/registration/webhooks.js';

export interface SigningSecretsRow {
  secret_key_id: string;
  sealed_secret: Buffer;
  previous_secret_key_id: string | null;
  previous_sealed_secret: Buffer | null;
  /** Whether the previous one signs at this moment. */
  overlapping: boolean | null;
}

export function signingSecrets(row: SigningSecretsRow): SigningSecrets {
  const current = { keyId: row.secret_key_id, bytes: row.sealed_secret };
  if (row.overlapping !== true) return { current };
  return { current, previous: { keyId: row.previous_secret_key_id!, bytes: row.previous_sealed_secret! } };
}
