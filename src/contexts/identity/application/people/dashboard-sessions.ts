import type { SignInStage } from '#shared/kernel/dashboard-access.js';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Collaborator } from '../../domain/people/collaborator.js';

export const SESSION_IDLE_MINUTES = 60;
/** Even if the session is in use (OWASP ASVS 5, 7.3.2). */
export const SESSION_LIFETIME_HOURS = 12;
export const PENDING_FACTOR_VALID_MINUTES = 10;
export const SIGN_IN_TIMEOUT_MINUTES = 15;

export interface ActiveSession {
  readonly id: DashboardSessionId;
  readonly stage: SignInStage;
  readonly factorProvenAt: Date | null;
  readonly collaborator: Collaborator;
  readonly organizationName: string;
  readonly timeZone: string;
  /** True if the last use was stored more than a minute ago and must be stored again. */
  readonly isUnseen: boolean;
  readonly hasPasskey: boolean;
  readonly now: Date;
}

export interface ListedSession {
  readonly id: DashboardSessionId;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export interface RequestSource {
  readonly address: string;
  readonly userAgent: string;
}

export class DashboardSessionEndedError extends DomainError {
  constructor() {
    super('conflict', 'state_conflict', 'Your session has ended. Sign in again.');
  }
}
