import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { invalidField } from '../../../../shared/kernel/domain-error.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { GUESSES } from '../../domain/people/back-off.js';
import { NoteSecurityChange, type OwnChange } from './note-security-change.js';
import { OneTimeCodes } from './one-time-codes.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { SecondFactors } from './second-factors.js';
import { SignInFailures } from './sign-in-failures.js';

/** An authenticator app becomes the second factor once it has shown a right code. */
@Injectable()
export class EnrolAuthenticator {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly factors: SecondFactors,
    private readonly codes: OneTimeCodes,
    private readonly failures: SignInFailures,
    private readonly note: NoteSecurityChange,
  ) {}

  /** The same secret until it is confirmed, so that the page can be opened again. */
  async begin({ collaboratorId, email }: OwnChange): Promise<{ secret: string; url: string }> {
    const secret = await this.factors.pendingSecret(collaboratorId);
    return { secret, url: this.codes.enrolmentUrl(secret, email) };
  }

  /** @returns recovery codes, in place of earlier ones. @throws DomainError on `code`, RateLimited */
  async confirm(person: OwnChange, code: string): Promise<{ recoveryCodes: string[] }> {
    const { collaboratorId } = person;
    const guessed = { parts: ['enrolment', collaboratorId], backOff: GUESSES };
    await this.failures.take(guessed);
    const secret = await this.factors.pendingSecret(collaboratorId);
    const step = this.codes.stepOf(secret, code.replace(/\s/g, ''));
    if (step === null)
      throw invalidField('new_code', 'code', 'is not the one of this secret. Check the time of your device.');
    await this.failures.clear(guessed);
    const { codes, digests } = newRecoveryCodes();
    await this.unitOfWork.run(async () => {
      await this.factors.confirm(collaboratorId, step, await this.clock.now());
      await this.factors.replaceRecoveryCodes(collaboratorId, digests);
      await this.note.execute(
        person,
        'authenticator.enrolled',
        'An authenticator app was set up as your second factor.',
      );
    });
    return { recoveryCodes: codes };
  }
}
