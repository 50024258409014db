import type { SessionStage } from '#shared/kernel/dashboard-access.js';
import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

/** Inactivity timeout (OWASP ASVS 5, 7.3.1). */
export const IDLE_MINUTES = 60;
/** Maximum lifetime, regardless of use (OWASP ASVS 5, 7.3.2). */
export const LIFETIME_HOURS = 12;
/** Lifetime of unconfirmed authenticator secrets and passkey challenges. */
export const CEREMONY_MINUTES = 10;
/** Maximum time between the password and the second factor. */
export const SIGN_IN_MINUTES = 15;

export interface ProvenSession {
  readonly id: SessionId;
  readonly stage: SessionStage;
  /** When the person last proved a second factor. */
  readonly factorProvenAt: Date | null;
  readonly collaborator: Collaborator;
  readonly organizationName: string;
  /** Time zone of the organization. */
  readonly timeZone: string;
  /** True if the last use was stored more than a minute ago and must be stored again. */
  readonly isUnseen: boolean;
  /** True if the person can use a passkey instead of a code. */
  readonly hasPasskey: boolean;
  /** Database time of the read. */
  readonly now: Date;
}

export interface ListedSession {
  readonly id: SessionId;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export interface Visit {
  readonly address: string;
  readonly userAgent: string;
}

/** Identified by the SHA-256 digest of their cookie. A session that ended, idled out or expired counts as not found. */
export abstract class DashboardSessions {
  abstract prove(tokenDigest: Buffer): Promise<ProvenSession | null>;
  abstract noteUse(id: SessionId): Promise<void>;
  abstract begin(
    collaborator: CollaboratorId,
    stage: SessionStage,
    tokenDigest: Buffer,
    visit: Visit,
  ): Promise<SessionId>;
  /**
   * Moves the session to the next stage under a new cookie, and records that a second factor was proved now. The old cookie becomes
   * invalid. @returns false if the session has ended
   */
  abstract renew(id: SessionId, stage: SessionStage, tokenDigest: Buffer): Promise<boolean>;
  /** Locks the row until the unit of work ends. @returns the session's stage; null if the session ended or belongs to another person */
  abstract lock(collaborator: CollaboratorId, id: SessionId): Promise<SessionStage | null>;
  /** Stores the challenge, valid for ten minutes. */
  abstract challenge(id: SessionId, challenge: string): Promise<void>;
  /** Consumes the challenge. */
  abstract takeChallenge(id: SessionId): Promise<string | null>;
  abstract end(collaborator: CollaboratorId, id: SessionId): Promise<void>;
  /** Ends all sessions of the person, except `but`. */
  abstract endAll(collaborator: CollaboratorId, but?: SessionId): Promise<void>;
  /** Ends the person's sessions that still have to enrol a first factor, except `but`. */
  abstract endEnrolling(collaborator: CollaboratorId, but: SessionId): Promise<void>;
  /** Lists the signed-in sessions, newest first. */
  abstract list(collaborator: CollaboratorId): Promise<ListedSession[]>;
}

/** Devices that passed a person's second factor, identified by the digest of their cookie. */
export abstract class KnownDevices {
  abstract isKnown(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  /** Looks the person up by e-mail address. For an unknown device, takes equally long for known and unknown addresses. */
  abstract isKnownOf(email: string, tokenDigest: Buffer): Promise<boolean>;
  abstract remember(person: CollaboratorId, tokenDigest: Buffer): Promise<void>;
  /** Forgets all devices of the person, except `but`. */
  abstract forgetAll(person: CollaboratorId, but?: Buffer): Promise<void>;
}

export class SessionEnded extends DomainError {
  constructor() {
    super('conflict', 'state_conflict', 'Your session has ended. Sign in again.');
  }
}
