import { Injectable } from '@nestjs/common';
import { normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '../../contract/audit-log.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import type { RequestSource } from './dashboard-sessions.js';
import { RecordSecurityChange, type ActingCollaborator } from './record-security-change.js';

/** With `too many tries`, the password or code may have been correct. */
export type SignInRefusal = 'wrong password' | 'wrong code' | 'too many tries';

export const SIGN_IN_PASSED_ACTION = 'sign_in.passed' as const;
export const SIGN_IN_REFUSED_ACTION = 'sign_in.refused' as const;

const MAX_USER_AGENT_LENGTH = 200;
const REFUSED_TRIES_RECORDED_EVERY_MS = 3_600_000;

@Injectable()
export class RecordSignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly collaborators: Collaborators,
    private readonly auditLog: AuditLog,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  /** Must run inside the unit of work that completes the sign-in. */
  async recordSuccess(
    person: ActingCollaborator,
    typed: string,
    isKnownDevice: boolean,
    userAgent: string,
  ): Promise<void> {
    const browser = shortenUserAgent(userAgent);
    const sentence = `New sign-in to your account from a new device: ${browser || 'unknown'}`;
    const details = { factor: determineFactorKind(typed), device: isKnownDevice ? 'known' : 'new', browser };
    await this.recordSecurityChange.record(
      person,
      SIGN_IN_PASSED_ACTION,
      isKnownDevice ? null : sentence,
      details,
    );
  }

  /** Strangers cannot fill the log: unknown addresses are not recorded. Call it after the response. */
  async recordRefusal(
    email: string,
    reason: SignInRefusal,
    { address, userAgent }: RequestSource,
  ): Promise<void> {
    const found = await this.collaborators.findByEmail(normalizeEmailForLookup(email));
    if (found === null) return;
    const { id: subjectId, organizationId, email: actor } = found.collaborator;
    const at = await this.clock.now();
    const since = new Date(at.getTime() - REFUSED_TRIES_RECORDED_EVERY_MS);
    if (
      reason === 'too many tries' &&
      (await this.auditLog.hasEntry(subjectId, SIGN_IN_REFUSED_ACTION, { reason }, since))
    )
      return;
    const after = { reason, browser: shortenUserAgent(userAgent) };
    const entry = {
      actor,
      address,
      action: SIGN_IN_REFUSED_ACTION,
      organizationId,
      subjectId,
      before: null,
      after,
      at,
    };
    await this.unitOfWork.run(() => this.auditLog.record(entry));
  }
}

function shortenUserAgent(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT_LENGTH);
}

function determineFactorKind(typed: string): string {
  if (typed.trim().startsWith('{')) return 'passkey';
  return /^[0-9]{6}$/.test(typed.replace(/[ -]/g, '')) ? 'authenticator app' : 'recovery code';
}
