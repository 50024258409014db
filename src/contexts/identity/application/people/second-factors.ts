import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';

export const MAX_PASSKEY_NAME_LENGTH = 200;

export interface Passkey {
  readonly id: string;
  /** WebAuthn's credential id in base64url. */
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export interface EnrolledFactors {
  /** When the authenticator app was confirmed; null without one. */
  readonly authenticatorSince: Date | null;
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodesLeft: number;
}

/** Recovery codes stand in for a factor; they are none. */
export function hasFactor({ authenticatorSince, passkeys }: EnrolledFactors): boolean {
  return authenticatorSince !== null || passkeys.length > 0;
}

export abstract class SecondFactors {
  abstract enrolledBy(person: CollaboratorId): Promise<EnrolledFactors>;
  /**
   * A secret that no app has confirmed yet, of this session alone: for ten minutes, and no longer than the session.
   * @returns base32; the same one while it waits; null where the session has ended
   */
  abstract pendingSecret(session: SessionId): Promise<string | null>;
  /** Row-locked until the unit of work ends. @returns null where there is none, or its time is over */
  abstract lockPendingSecret(session: SessionId): Promise<string | null>;
  /** Base32 of the confirmed one. */
  abstract secret(person: CollaboratorId): Promise<string | null>;
  /**
   * The pending secret takes the place of what was confirmed before. Refuses to run outside a unit of work.
   * @param step of the code that confirmed it
   */
  abstract confirm(person: CollaboratorId, session: SessionId, step: number, at: Date): Promise<void>;
  /** Atomic. @returns false where this or a later step was accepted before */
  abstract acceptStep(person: CollaboratorId, step: number): Promise<boolean>;
  /** Refuses to run outside a unit of work. */
  abstract removeAuthenticator(person: CollaboratorId): Promise<void>;
  /** Refuses to run outside a unit of work. @throws DomainError on `answer` where the credential is somebody's already (WebAuthn 3, 7.1) */
  abstract addPasskey(person: CollaboratorId, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<void>;
  /** Refuses to run outside a unit of work. @returns its name, or null where the person has none such */
  abstract removePasskey(person: CollaboratorId, id: string): Promise<string | null>;
  /** Atomic. @returns false where the counter went back: somebody has copied the key (WebAuthn 3, 6.1.1) */
  abstract notePasskeyUse(person: CollaboratorId, credentialId: string, signCount: number): Promise<boolean>;
  /** In place of earlier ones. Refuses to run outside a unit of work. */
  abstract replaceRecoveryCodes(person: CollaboratorId, digests: readonly Buffer[]): Promise<void>;
  /** Atomic. @returns false where there is none such, or no more */
  abstract useRecoveryCode(person: CollaboratorId, digest: Buffer): Promise<boolean>;
}

/** Time-based one-time codes (RFC 6238: SHA-1, six digits, 30 seconds), which authenticator apps show. */
export abstract class OneTimeCodes {
  /** The `otpauth:` address for a QR code. @param secret base32 */
  abstract enrolmentUrl(secret: string, email: string): string;
  /**
   * Checks a code against real time, which apps use.
   * @returns the step of the code, at most one off the present step; null for a wrong code
   */
  abstract stepOf(secret: string, code: string): number | null;
}
