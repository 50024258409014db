import type { SessionStage } from '#shared/kernel/dashboard-access.js';
import type { SessionId } from '#shared/kernel/ids.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

/** Minutes without a request after which a session ends (OWASP ASVS 5, 7.3.1). */
export const SESSION_IDLE_MINUTES = 60;
/** Maximum lifetime of a session, even if it is in use (OWASP ASVS 5, 7.3.2). */
export const SESSION_LIFETIME_HOURS = 12;
/** Lifetime of authenticator secrets that are not confirmed yet, and of passkey challenges. */
export const UNCONFIRMED_FACTOR_MINUTES = 10;
/** Maximum time between the password and the second factor. */
export const SIGN_IN_MINUTES = 15;

export interface ProvenSession {
  readonly id: SessionId;
  readonly stage: SessionStage;
  /** Time of the person's last successful second factor check. */
  readonly factorProvenAt: Date | null;
  readonly collaborator: Collaborator;
  readonly organizationName: string;
  /** Time zone of the organization. */
  readonly timeZone: string;
  /** True if the session's last use was stored more than a minute ago. The caller must then store it again. */
  readonly isUnseen: boolean;
  /** True if the person can use a passkey instead of a typed code. */
  readonly hasPasskey: boolean;
  /** Database time at which the session was read. */
  readonly now: Date;
}

export interface ListedSession {
  readonly id: SessionId;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export interface RequestSource {
  readonly address: string;
  readonly userAgent: string;
}

export class SessionEnded extends DomainError {
  constructor() {
    super('conflict', 'state_conflict', 'Your session has ended. Sign in again.');
  }
}
