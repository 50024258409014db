import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { SecondFactorChangeRunner, type SecondFactorChange } from './second-factor-change-runner.js';
import { RecordSecurityChange } from './record-security-change.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { DashboardSessionEndedError } from './dashboard-sessions.js';
import { authenticatorEnrolmentUrl, findTimeStep } from './one-time-codes.js';

@Injectable()
export class EnrolAuthenticator {
  constructor(
    private readonly changes: SecondFactorChangeRunner,
    private readonly clock: Clock,
    private readonly factors: SecondFactors,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  /** Returns the same secret for ten minutes, so that reloading the page does not change it. */
  async begin({ sessionId, email }: SecondFactorChange): Promise<{ secret: string; url: string }> {
    const secret = await this.factors.findOrCreatePendingSecret(sessionId);
    if (secret === null) throw new DashboardSessionEndedError();
    return { secret, url: authenticatorEnrolmentUrl(secret, email) };
  }

  /**
   * Wrong codes are not limited, because the page displays the secret anyway. @returns recovery codes, which replace
   * all earlier codes
   */
  async confirm(person: SecondFactorChange, code: string): Promise<{ recoveryCodes: string[] }> {
    const { collaboratorId, sessionId } = person;
    const { codes, digests } = newRecoveryCodes();
    await this.changes.run(person, async () => {
      const secret = await this.factors.lockPendingSecret(sessionId);
      const step = secret === null ? null : findTimeStep(secret, code.replace(/\s/g, ''));
      if (step === null)
        throw invalidField(
          'new_code',
          'code',
          'does not match the secret on this page, which is valid for ten minutes. Check the clock of your device.',
        );
      await this.factors.confirmAuthenticator(collaboratorId, sessionId, step, await this.clock.now());
      await this.factors.replaceRecoveryCodes(collaboratorId, digests);
      await this.recordSecurityChange.record(
        person,
        'authenticator.enrolled',
        'An authenticator app was set up as your second factor.',
      );
    });
    return { recoveryCodes: codes };
  }
}
