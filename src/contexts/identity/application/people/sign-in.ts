import { Injectable } from '@nestjs/common';
import { normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import type { SignInStage } from '#shared/kernel/dashboard-access.js';
import { PasswordHasher } from './password-hasher.js';
import { LockOuts } from '../../infrastructure/people/persistence/lock-outs.js';
import { PASSWORD_BACK_OFF } from '../../domain/people/lock-out.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { KnownSignInBrowsers } from '../../infrastructure/people/persistence/known-sign-in-browsers.js';
import type { RequestSource } from './dashboard-sessions.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { hasFactor } from '../../domain/people/second-factors.js';

export interface SignInAttempt extends RequestSource {
  readonly email: string;
  readonly password: string;
  readonly caller: CallerAddressRanges;
  readonly deviceDigest?: Buffer | undefined;
}

/** An unknown address, a disabled person and a wrong password run the same SQL and get the same response. */
@Injectable()
export class SignIn {
  constructor(
    private readonly collaborators: Collaborators,
    private readonly devices: KnownSignInBrowsers,
    private readonly lockOuts: LockOuts,
    private readonly passwords: PasswordHasher,
    private readonly factors: SecondFactors,
    private readonly sessions: DashboardSessions,
  ) {}

  async signIn(attempt: SignInAttempt): Promise<{ token: string; stage: SignInStage }> {
    const email = normalizeEmailForLookup(attempt.email);
    const { deviceDigest } = attempt;
    const isKnown = deviceDigest !== undefined && (await this.devices.isKnownForEmail(email, deviceDigest));
    const device = isKnown ? deviceDigest.toString('hex') : 'unknown';
    const guesses = { parts: ['password', email, device], backOff: PASSWORD_BACK_OFF };
    // Strangers behind the same IP address must not lock out a known device.
    if (!isKnown) await this.lockOuts.countCallerGuess(attempt.caller, 'address');
    await this.lockOuts.countGuess(guesses);
    const found = await this.collaborators.findByEmail(email);
    const matches = await this.passwords.verify(attempt.password, found?.passwordHash ?? null);
    if (!matches || !found!.collaborator.enabled) throw wrongPassword();
    await this.lockOuts.clearGuesses(guesses);
    if (!isKnown) await this.lockOuts.uncountCallerGuess(attempt.caller, 'address');
    const { id } = found!.collaborator;
    const stage = hasFactor(await this.factors.readEnrolledFactors(id)) ? 'challenged' : 'enrolling';
    const token = newSecret();
    await this.sessions.begin(id, stage, digestOf(token), attempt);
    return { token, stage };
  }
}

function wrongPassword(): DomainError {
  return new DomainError(
    'invalid',
    'credentials_invalid',
    'The e-mail address or the password is wrong. Check both, or reset the password.',
  );
}
