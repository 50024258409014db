import type { SignInStage } from '#shared/kernel/dashboard-access.js';

export const MAX_PASSKEY_NAME_LENGTH = 200;

export interface Passkey {
  readonly id: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export interface EnrolledFactors {
  readonly authenticatorSince: Date | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/** Recovery codes do not count. */
export function hasFactor({ authenticatorSince, passkeys }: EnrolledFactors): boolean {
  return authenticatorSince !== null || passkeys.length > 0;
}

const PROOF_IS_FRESH_MS = 10 * 60_000;

interface LastProof {
  readonly stage: SignInStage;
  readonly factorProvenAt: Date | null;
  readonly at: Date;
}

/** Within ten minutes, and while the person enrols the first factor. */
export function hasRecentSecondFactor({ stage, factorProvenAt, at }: LastProof): boolean {
  if (stage === 'enrolling') return true;
  return factorProvenAt !== null && at.getTime() - factorProvenAt.getTime() <= PROOF_IS_FRESH_MS;
}
