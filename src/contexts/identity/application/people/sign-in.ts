import { Injectable } from '@nestjs/common';
import { soughtEmail } from '#shared/kernel/email-address.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { SessionStage } from '#shared/kernel/dashboard-access.js';
import { Passwords } from './passwords.js';
import { GUESSES, GUESSES_OF_ADDRESS, LockOuts } from '../../domain/people/lock-out.js';
import { Collaborators } from '../../domain/people/collaborator.js';
import { digestOf, newSecret } from '../secret.js';
import { DashboardSessions, type Visit, KnownDevices } from './dashboard-sessions.js';
import { hasFactor, SecondFactors } from './second-factors.js';

export interface SignInAttempt extends Visit {
  readonly email: string;
  readonly password: string;
  /** The key that the caller's attempts are counted by: an IPv4 address, or the /64 of an IPv6 one. */
  readonly caller: string;
  readonly deviceDigest?: Buffer | undefined;
}

/**
 * The password; a new session goes on to the second factor. An unknown address, a disabled person and a wrong password
 * take the same steps and read the same.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly collaborators: Collaborators,
    private readonly devices: KnownDevices,
    private readonly lockOuts: LockOuts,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly sessions: DashboardSessions,
  ) {}

  /** @returns the cookie and how far it has come. @throws DomainError, RateLimited */
  async execute(attempt: SignInAttempt): Promise<{ token: string; stage: SessionStage }> {
    const email = soughtEmail(attempt.email);
    const found = await this.collaborators.findByEmail(email);
    const isKnown =
      found !== null &&
      attempt.deviceDigest !== undefined &&
      (await this.devices.isKnown(found.collaborator.id, attempt.deviceDigest));
    const device = isKnown ? attempt.deviceDigest!.toString('hex') : 'unknown';
    const guesses = { parts: ['password', email, device], backOff: GUESSES };
    const ofAddress = { parts: ['address', attempt.caller], backOff: GUESSES_OF_ADDRESS };
    await this.lockOuts.take(ofAddress);
    await this.lockOuts.take(guesses);
    const matches = await this.passwords.verify(attempt.password, found?.passwordHash ?? null);
    if (!matches || !found!.collaborator.enabled) throw wrong();
    await this.lockOuts.clear(guesses);
    await this.lockOuts.giveBack(ofAddress);
    const { id } = found!.collaborator;
    const stage = hasFactor(await this.factors.enrolledBy(id)) ? 'challenged' : 'enrolling';
    const token = newSecret();
    await this.sessions.begin(id, stage, digestOf(token), attempt);
    return { token, stage };
  }
}

function wrong(): DomainError {
  return new DomainError(
    'invalid',
    'credentials_invalid',
    'The e-mail address or the password is wrong. Check both, or reset the password.',
  );
}
