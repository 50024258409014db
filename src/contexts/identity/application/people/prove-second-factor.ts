import { Injectable } from '@nestjs/common';
import { invalidField } from '../../../../shared/kernel/domain-error.js';
import { SecondFactor, type FactorProof } from '../../contract/second-factor.js';
import { GUESSES } from '../../domain/people/back-off.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { OneTimeCodes } from './one-time-codes.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { recoveryCodeDigest } from './recovery-codes.js';
import { digestOf, newSecret } from '../secret.js';
import { SecondFactors } from './second-factors.js';
import { SessionEnded } from './session-ended.js';
import { SignInFailures } from './sign-in-failures.js';

/** A proof, and the device that guesses are counted for where it is a known one. */
export interface ProvingVisit extends FactorProof {
  readonly knownDevice?: string | undefined;
}

/** One-time codes, passkeys and recovery codes; each proof is accepted once, on whatever path it comes. */
@Injectable()
export class ProveSecondFactor extends SecondFactor {
  constructor(
    private readonly factors: SecondFactors,
    private readonly codes: OneTimeCodes,
    private readonly passkeys: PasskeyCeremonies,
    private readonly sessions: DashboardSessions,
    private readonly failures: SignInFailures,
  ) {
    super();
  }

  async demand(proof: FactorProof): Promise<{ sessionToken: string }> {
    await this.prove(proof);
    const sessionToken = newSecret();
    if (!(await this.sessions.renew(proof.sessionId, 'signed_in', digestOf(sessionToken))))
      throw new SessionEnded();
    return { sessionToken };
  }

  /** Leaves the session as it is. @throws DomainError on `code`, RateLimited */
  async prove({ knownDevice, ...proof }: ProvingVisit): Promise<void> {
    const guessed = { parts: ['code', proof.collaboratorId, knownDevice ?? 'unknown'], backOff: GUESSES };
    await this.failures.take(guessed);
    if (!(await this.isRight({ ...proof, code: proof.code.trim() })))
      throw invalidField('code', 'code', 'is wrong, or was used already. Enter the one that is shown now.');
    await this.failures.clear(guessed);
  }

  private async isRight({ collaboratorId, sessionId, code }: FactorProof): Promise<boolean> {
    if (code.startsWith('{')) return this.isSigned(collaboratorId, sessionId, code);
    const digits = code.replace(/[ -]/g, '');
    if (/^[0-9]{6}$/.test(digits)) return this.isShown(collaboratorId, digits);
    const digest = recoveryCodeDigest(code);
    return digest !== null && this.factors.useRecoveryCode(collaboratorId, digest);
  }

  private async isShown(person: FactorProof['collaboratorId'], code: string): Promise<boolean> {
    const secret = await this.factors.secret(person);
    const step = secret === null ? null : this.codes.stepOf(secret, code);
    return step !== null && this.factors.acceptStep(person, step);
  }

  private async isSigned(
    person: FactorProof['collaboratorId'],
    session: FactorProof['sessionId'],
    answer: string,
  ): Promise<boolean> {
    const [challenge, { passkeys }] = [
      await this.sessions.takeChallenge(session),
      await this.factors.of(person),
    ];
    if (challenge === null) return false;
    const used = await this.passkeys.finishProof(answer, challenge, passkeys);
    return used !== null && this.factors.notePasskeyUse(person, used.credentialId, used.signCount);
  }
}
