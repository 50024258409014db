import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';

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

export abstract class SecondFactors {
  abstract enrolledBy(person: CollaboratorId): Promise<EnrolledFactors>;
  /**
   * Returns the session's authenticator secret that no app has confirmed yet. It is valid for ten minutes, at most until the session ends.
   * Repeated calls return the same secret.
   * @returns base32; null if the session has ended
   */
  abstract pendingSecret(session: SessionId): Promise<string | null>;
  /** Locks the row until the unit of work ends. @returns null if there is no pending secret or it has expired */
  abstract lockPendingSecret(session: SessionId): Promise<string | null>;
  /** Base32. */
  abstract secret(person: CollaboratorId): Promise<string | null>;
  /**
   * Replaces the confirmed secret with the pending secret. Requires a unit of work.
   * @param step time step of the code that confirmed it
   */
  abstract confirm(person: CollaboratorId, session: SessionId, step: number, at: Date): Promise<void>;
  /** Atomic. @returns false if this or a later time step was already accepted */
  abstract acceptStep(person: CollaboratorId, step: number): Promise<boolean>;
  /** Requires a unit of work. */
  abstract removeAuthenticator(person: CollaboratorId): Promise<void>;
  /** Requires a unit of work. @throws DomainError on `answer` if the credential id is already registered (WebAuthn 3, 7.1) */
  abstract addPasskey(person: CollaboratorId, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<void>;
  /** Requires a unit of work. @returns the passkey's name; null if the person has no such passkey */
  abstract removePasskey(person: CollaboratorId, id: string): Promise<string | null>;
  /** Atomic. @returns false if the counter did not increase, which indicates a cloned key (WebAuthn 3, 6.1.1) */
  abstract notePasskeyUse(person: CollaboratorId, credentialId: string, signCount: number): Promise<boolean>;
  /** Replaces all earlier codes. Requires a unit of work. */
  abstract replaceRecoveryCodes(person: CollaboratorId, digests: readonly Buffer[]): Promise<void>;
  /** Atomic. @returns false if the code does not exist or was already used */
  abstract useRecoveryCode(person: CollaboratorId, digest: Buffer): Promise<boolean>;
}

/** RFC 6238: SHA-1, six digits, 30 seconds. */
export abstract class OneTimeCodes {
  /** The `otpauth:` URL for a QR code. @param secret base32 */
  abstract enrolmentUrl(secret: string, email: string): string;
  /**
   * Checks a code against the system clock, because apps use real time.
   * @returns the time step of the code, at most one step from now; null for a wrong code
   */
  abstract stepOf(secret: string, code: string): number | null;
}
