import { Injectable } from '@nestjs/common';
import { type DomainError, invalidField, RateLimited } from '#shared/kernel/domain-error.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { SecondFactorVerifier, type SecondFactorSubmission } from '../../contract/dashboard-session.js';
import { LockOuts } from '../../infrastructure/people/persistence/lock-outs.js';
import {
  KNOWN_BROWSER_FACTOR_RATE_LIMIT,
  PERSON_CODE_RATE_LIMIT,
  type CodeCounterKey,
} from '../../domain/people/lock-out.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { DashboardSessionEndedError } from './dashboard-sessions.js';
import { recoveryCodeDigest } from './recovery-codes.js';
import { digestOf, newSecret } from '../secret.js';
import { findTimeStep } from './one-time-codes.js';

export interface SecondFactorCheckInput extends SecondFactorSubmission {
  /** A device or session that has already passed a second factor. */
  readonly known?: string | undefined;
}

/**
 * Each proof works once, across all pages. Passkey signatures are not limited, so a person with a passkey can sign in
 * after strangers have used up the code limit.
 */
@Injectable()
export class VerifySecondFactor extends SecondFactorVerifier {
  constructor(
    private readonly factors: SecondFactors,
    private readonly passkeys: PasskeyCeremonies,
    private readonly sessions: DashboardSessions,
    private readonly lockOuts: LockOuts,
  ) {
    super();
  }

  async verify(proof: SecondFactorSubmission): Promise<{ sessionToken: string }> {
    await this.verifyCode({ ...proof, known: proof.sessionId });
    const sessionToken = newSecret();
    if (!(await this.sessions.renewAfterSecondFactor(proof.sessionId, 'signed_in', digestOf(sessionToken))))
      throw new DashboardSessionEndedError();
    return { sessionToken };
  }

  /** Does not change the session. @throws DomainError on `code`, RateLimited */
  async verifyCode({ collaboratorId, sessionId, code: typed, known }: SecondFactorCheckInput): Promise<void> {
    const code = typed.trim();
    if (code.startsWith('{')) {
      if (await this.isValidPasskeySignature(collaboratorId, sessionId, code)) return;
      throw wrongCode();
    }
    const counted = await this.countCode(collaboratorId, known);
    if (!(await this.isCorrectCode(collaboratorId, code))) throw wrongCode();
    await this.lockOuts.uncountSecondFactorAttempt(counted);
  }

  /** Strangers can use up the person's limit, so a known device then has a separate limit. */
  private async countCode(
    person: SecondFactorSubmission['collaboratorId'],
    known: string | undefined,
  ): Promise<CodeCounterKey> {
    const ofPerson = { parts: ['code', person], allowance: PERSON_CODE_RATE_LIMIT };
    try {
      await this.lockOuts.countSecondFactorAttempt(ofPerson);
      return ofPerson;
    } catch (error) {
      if (known === undefined || !(error instanceof RateLimited)) throw error;
    }
    const ofKnown = { parts: ['code', person, known], allowance: KNOWN_BROWSER_FACTOR_RATE_LIMIT };
    await this.lockOuts.countSecondFactorAttempt(ofKnown);
    return ofKnown;
  }

  private async isCorrectCode(
    collaboratorId: SecondFactorSubmission['collaboratorId'],
    code: string,
  ): Promise<boolean> {
    const digits = code.replace(/[ -]/g, '');
    if (/^[0-9]{6}$/.test(digits)) return this.isCorrectTotpCode(collaboratorId, digits);
    const digest = recoveryCodeDigest(code);
    return digest !== null && this.factors.useRecoveryCode(collaboratorId, digest);
  }

  private async isCorrectTotpCode(
    person: SecondFactorSubmission['collaboratorId'],
    code: string,
  ): Promise<boolean> {
    const secret = await this.factors.findAuthenticatorSecret(person);
    const step = secret === null ? null : findTimeStep(secret, code);
    return step !== null && this.factors.acceptStep(person, step);
  }

  private async isValidPasskeySignature(
    person: SecondFactorSubmission['collaboratorId'],
    session: SecondFactorSubmission['sessionId'],
    answer: string,
  ): Promise<boolean> {
    const [challenge, { passkeys }] = [
      await this.sessions.consumeChallenge(session),
      await this.factors.readEnrolledFactors(person),
    ];
    if (challenge === null) return false;
    const used = await this.passkeys.finishAuthentication(answer, challenge, passkeys);
    return used !== null && this.factors.recordPasskeyUse(person, used.credentialId, used.signCount);
  }
}

function wrongCode(): DomainError {
  return invalidField(
    'code',
    'code',
    'is wrong or has already been used. Enter the current code, or wait for the next one.',
  );
}
