import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { SecondFactorChangeRunner, type SecondFactorChange } from './second-factor-change-runner.js';
import { RecordSecurityChange } from './record-security-change.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { hasFactor } from '../../domain/people/second-factors.js';

/** The caller must verify a current second factor first. */
@Injectable()
export class RemoveSecondFactor {
  constructor(
    private readonly changes: SecondFactorChangeRunner,
    private readonly factors: SecondFactors,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  async renewRecoveryCodes(person: SecondFactorChange): Promise<{ recoveryCodes: string[] }> {
    const { codes, digests } = newRecoveryCodes();
    await this.changes.run(person, async () => {
      await this.factors.replaceRecoveryCodes(person.collaboratorId, digests);
      await this.recordSecurityChange.record(
        person,
        'recovery_codes.renewed',
        'New recovery codes replaced your old ones.',
      );
    });
    return { recoveryCodes: codes };
  }

  async removePasskey(person: SecondFactorChange, id: string): Promise<void> {
    await this.changes.run(person, async () => {
      const name = await this.factors.removePasskey(person.collaboratorId, id);
      if (name === null) throw notFound('passkey');
      await this.requireRemainingFactor(person);
      await this.recordSecurityChange.record(
        person,
        'passkey.removed',
        `The passkey "${name}" was removed.`,
        {
          name,
        },
      );
    });
  }

  async removeAuthenticator(person: SecondFactorChange): Promise<void> {
    await this.changes.run(person, async () => {
      await this.factors.removeAuthenticator(person.collaboratorId);
      await this.requireRemainingFactor(person);
      await this.recordSecurityChange.record(
        person,
        'authenticator.removed',
        'Your authenticator app was removed.',
      );
    });
  }

  private async requireRemainingFactor({ collaboratorId }: SecondFactorChange): Promise<void> {
    if (!hasFactor(await this.factors.readEnrolledFactors(collaboratorId)))
      throw stateConflict('This is your only second factor. Add another one first.');
  }
}
