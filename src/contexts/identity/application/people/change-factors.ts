import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '../../../../shared/kernel/domain-error.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { NoteSecurityChange, type OwnChange } from './note-security-change.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { SecondFactors } from './second-factors.js';

/** What a person does to their factors once signed in; the page asks for the second factor again first. */
@Injectable()
export class ChangeFactors {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly factors: SecondFactors,
    private readonly note: NoteSecurityChange,
  ) {}

  /** @returns the new ones, which replace all earlier ones */
  async renewRecoveryCodes(person: OwnChange): Promise<{ recoveryCodes: string[] }> {
    const { codes, digests } = newRecoveryCodes();
    await this.unitOfWork.run(async () => {
      await this.factors.replaceRecoveryCodes(person.collaboratorId, digests);
      await this.note.execute(
        person,
        'recovery_codes.renewed',
        'Your recovery codes were replaced by new ones.',
      );
    });
    return { recoveryCodes: codes };
  }

  /** @throws not_found; state_conflict for the only factor */
  async removePasskey(person: OwnChange, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const name = await this.factors.removePasskey(person.collaboratorId, id);
      if (name === null) throw notFound('passkey');
      await this.demandFactorLeft(person);
      await this.note.execute(person, 'passkey.removed', `The passkey "${name}" was removed.`, { name });
    });
  }

  /** @throws state_conflict for the only factor */
  async removeAuthenticator(person: OwnChange): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.factors.removeAuthenticator(person.collaboratorId);
      await this.demandFactorLeft(person);
      await this.note.execute(person, 'authenticator.removed', 'Your authenticator app was removed.');
    });
  }

  private async demandFactorLeft({ collaboratorId }: OwnChange): Promise<void> {
    const { authenticatorSince, passkeys } = await this.factors.of(collaboratorId);
    if (authenticatorSince === null && passkeys.length === 0)
      throw stateConflict('This is your only second factor. Add another one first.');
  }
}
