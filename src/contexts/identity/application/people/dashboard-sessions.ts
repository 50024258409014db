import type { SessionStage } from '#shared/kernel/dashboard-access.js';
import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

/** A session ends after this time without use (OWASP ASVS 5, 7.3.1). */
export const IDLE_MINUTES = 60;
/** A session ends after this time, however much it is used (OWASP ASVS 5, 7.3.2). */
export const LIFETIME_HOURS = 12;
/** The secret of an app that is being enrolled and the challenge of a passkey expire after this time. */
export const CEREMONY_MINUTES = 10;
/** The second factor follows the password within this time. */
export const SIGN_IN_MINUTES = 15;

/** A session with its person. */
export interface ProvenSession {
  readonly id: SessionId;
  readonly stage: SessionStage;
  /** When the second factor was shown last. */
  readonly factorProvenAt: Date | null;
  readonly collaborator: Collaborator;
  readonly organizationName: string;
  /** The organization's. */
  readonly timeZone: string;
  /** True where the last use was stored more than a minute ago, so that it has to be stored again. */
  readonly isUnseen: boolean;
  /** True where the person can show a passkey in place of a code. */
  readonly hasPasskey: boolean;
  /** The database clock's time of the reading. */
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

/** Sessions by the SHA-256 digest of their cookie. An ended, idle or expired session is none. */
export abstract class DashboardSessions {
  /** One statement. */
  abstract prove(tokenDigest: Buffer): Promise<ProvenSession | null>;
  abstract noteUse(id: SessionId): Promise<void>;
  abstract begin(
    collaborator: CollaboratorId,
    stage: SessionStage,
    tokenDigest: Buffer,
    visit: Visit,
  ): Promise<SessionId>;
  /** Moves the session to the next stage under a new cookie, with the second factor shown now; the old cookie is invalid from then on. @returns false for a session that has ended meanwhile */
  abstract renew(id: SessionId, stage: SessionStage, tokenDigest: Buffer): Promise<boolean>;
  /** Row-locked until the unit of work ends. @returns its stage; null where it has ended or is another person's */
  abstract lock(collaborator: CollaboratorId, id: SessionId): Promise<SessionStage | null>;
  /** Stores the challenge that a passkey has to sign within ten minutes. */
  abstract challenge(id: SessionId, challenge: string): Promise<void>;
  /** Removes and returns the challenge, so that it is used once. */
  abstract takeChallenge(id: SessionId): Promise<string | null>;
  abstract end(collaborator: CollaboratorId, id: SessionId): Promise<void>;
  /** Covers all of a person, except the one named. */
  abstract endAll(collaborator: CollaboratorId, but?: SessionId): Promise<void>;
  /** Ends the sessions that have to enrol a first factor, except this one. */
  abstract endEnrolling(collaborator: CollaboratorId, but: SessionId): Promise<void>;
  /** Signed-in sessions, the latest first. */
  abstract list(collaborator: CollaboratorId): Promise<ListedSession[]>;
}

/** Devices that have passed a second factor of a person, by the digest of their cookie. */
export abstract class KnownDevices {
  abstract isKnown(person: CollaboratorId, tokenDigest: Buffer): Promise<boolean>;
  /** The same by e-mail address. An unknown device takes as long for an unknown address as for a known one. */
  abstract isKnownOf(email: string, tokenDigest: Buffer): Promise<boolean>;
  abstract remember(person: CollaboratorId, tokenDigest: Buffer): Promise<void>;
  /** Covers all of a person, except the one named. */
  abstract forgetAll(person: CollaboratorId, but?: Buffer): Promise<void>;
}

/** A session ended while a form was filled in. */
export class SessionEnded extends DomainError {
  constructor() {
    super('conflict', 'state_conflict', 'Your session has ended. Sign in again.');
  }
}
