import { Injectable } from '@nestjs/common';
import { normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '../../contract/audit-log.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import type { Visit } from './dashboard-sessions.js';
import { NoteSecurityChange, type OwnChange } from './note-security-change.js';

/** Why a sign-in was refused. `too many tries` also covers correct passwords and codes. */
export type SignInRefusal = 'wrong password' | 'wrong code' | 'too many tries';

export const SIGNED_IN = 'sign_in.passed';
export const REFUSED = 'sign_in.refused';

const MAX_BROWSER_LENGTH = 200;
/** Refusals for too many tries are recorded about once an hour per person, because their number is not limited otherwise. */
const WAIT_NOTED_EVERY_MS = 3_600_000;

/** Writes the audit log, and notifies the person by mail of a new device. */
@Injectable()
export class NoteSignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly collaborators: Collaborators,
    private readonly auditLog: AuditLog,
    private readonly noteSecurityChange: NoteSecurityChange,
  ) {}

  /** Runs inside the unit of work that completes the sign-in. @param typed the proof, as submitted */
  async passed(person: OwnChange, typed: string, isKnownDevice: boolean, userAgent: string): Promise<void> {
    const browser = shortened(userAgent);
    const sentence = `New sign-in to your account from a new device: ${browser || 'unknown'}`;
    const details = { factor: factorOf(typed), device: isKnownDevice ? 'known' : 'new', browser };
    await this.noteSecurityChange.note(person, SIGNED_IN, isKnownDevice ? null : sentence, details);
  }

  /** Records nothing for an unknown address, so that strangers cannot fill the log. Call it after sending the response. */
  async refused(email: string, reason: SignInRefusal, { address, userAgent }: Visit): Promise<void> {
    const found = await this.collaborators.findByEmail(normalizeEmailForLookup(email));
    if (found === null) return;
    const { id: subjectId, organizationId, email: actor } = found.collaborator;
    const at = await this.clock.now();
    const since = new Date(at.getTime() - WAIT_NOTED_EVERY_MS);
    if (reason === 'too many tries' && (await this.auditLog.has(subjectId, REFUSED, { reason }, since)))
      return;
    const after = { reason, browser: shortened(userAgent) };
    const entry = { actor, address, action: REFUSED, organizationId, subjectId, before: null, after, at };
    await this.unitOfWork.run(() => this.auditLog.record(entry));
  }
}

/** Limits the length, because the caller controls the header. */
function shortened(userAgent: string): string {
  return userAgent.slice(0, MAX_BROWSER_LENGTH);
}

/** Determines the factor from the format of the proof, which has already been verified. */
function factorOf(typed: string): string {
  if (typed.trim().startsWith('{')) return 'passkey';
  return /^[0-9]{6}$/.test(typed.replace(/[ -]/g, '')) ? 'authenticator app' : 'recovery code';
}
