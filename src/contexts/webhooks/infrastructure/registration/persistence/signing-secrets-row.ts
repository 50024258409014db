import type { SigningSecrets } from '#contexts/webhooks/domain/registration/webhooks.js';

export interface SigningSecretsRow {
  secretKeyId: string;
  sealedSecret: Buffer;
  previousSecretKeyId: string | null;
  previousSealedSecret: Buffer | null;
  /** Whether the previous one signs at this moment. */
  overlapping: boolean | null;
}

export function signingSecrets(row: SigningSecretsRow): SigningSecrets {
  const current = { keyId: row.secretKeyId, bytes: row.sealedSecret };
  if (row.overlapping !== true) return { current };
  return { current, previous: { keyId: row.previousSecretKeyId!, bytes: row.previousSealedSecret! } };
}
