import type { SessionStage } from '#shared/kernel/dashboard-access.js';

export const MAX_PASSKEY_NAME_LENGTH = 200;

export interface Passkey {
  readonly id: string;
  /** WebAuthn credential id in base64url. */
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export interface EnrolledFactors {
  /** When the person confirmed an authenticator app; null if the person has none. */
  readonly authenticatorSince: Date | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/** True if the person has an authenticator app or a passkey. Recovery codes do not count. */
export function hasFactor({ authenticatorSince, passkeys }: EnrolledFactors): boolean {
  return authenticatorSince !== null || passkeys.length > 0;
}

const PROOF_IS_FRESH_MS = 10 * 60_000;

interface LastProof {
  readonly stage: SessionStage;
  /** When the session last passed a second factor; null if it never did. */
  readonly factorProvenAt: Date | null;
  readonly at: Date;
}

/** True within ten minutes of the last second factor check, and while the person enrols the first factor. */
export function hasFreshProof({ stage, factorProvenAt, at }: LastProof): boolean {
  if (stage === 'enrolling') return true;
  return factorProvenAt !== null && at.getTime() - factorProvenAt.getTime() <= PROOF_IS_FRESH_MS;
}
