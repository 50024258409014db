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
  /** When the authenticator app was confirmed; null if there is none. */
  readonly authenticatorSince: Date | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/** Recovery codes do not count as a factor. */
export function hasFactor({ authenticatorSince, passkeys }: EnrolledFactors): boolean {
  return authenticatorSince !== null || passkeys.length > 0;
}

const PROOF_IS_FRESH_MS = 10 * 60_000;

interface LastProof {
  readonly stage: SessionStage;
  /** Null before the sign-in is complete. */
  readonly factorProvenAt: Date | null;
  /** Time of the request. */
  readonly at: Date;
}

/** True if the second factor was verified within the last ten minutes, or if the person is enrolling the first one. */
export function hasFreshProof({ stage, factorProvenAt, at }: LastProof): boolean {
  if (stage === 'enrolling') return true;
  return factorProvenAt !== null && at.getTime() - factorProvenAt.getTime() <= PROOF_IS_FRESH_MS;
}
