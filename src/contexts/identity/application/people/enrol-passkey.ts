import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { invalidField } from '../../../../shared/kernel/domain-error.js';
import { newId, type SessionId } from '../../../../shared/kernel/ids.js';
import { requiredText } from '../../../../shared/kernel/text.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { NoteSecurityChange, type OwnChange } from './note-security-change.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { SecondFactors } from './second-factors.js';

/** A passkey becomes a second factor; a person may have several. */
@Injectable()
export class EnrolPasskey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly factors: SecondFactors,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly sessions: DashboardSessions,
    private readonly note: NoteSecurityChange,
  ) {}

  /** @returns what the browser is asked, as JSON */
  async begin(person: OwnChange & { name: string }, session: SessionId): Promise<string> {
    const { collaboratorId: id, email, name } = person;
    const { passkeys } = await this.factors.of(id);
    const { optionsJson, challenge } = await this.ceremonies.beginEnrolment({ id, email, name }, passkeys);
    await this.sessions.challenge(session, challenge);
    return optionsJson;
  }

  /** @returns recovery codes where the person has none yet. @throws DomainError on `name` or `answer` */
  async finish(
    person: OwnChange,
    session: SessionId,
    label: string,
    answer: string,
  ): Promise<{ recoveryCodes: string[] }> {
    const name = requiredText('name', label, 200);
    const challenge = await this.sessions.takeChallenge(session);
    const made = challenge === null ? null : await this.ceremonies.finishEnrolment(answer, challenge);
    if (made === null)
      throw invalidField('answer', 'passkey', 'is not of this page. Press the button again.');
    const { collaboratorId } = person;
    const { recoveryCodesLeft } = await this.factors.of(collaboratorId);
    const fresh = recoveryCodesLeft === 0 ? newRecoveryCodes() : { codes: [], digests: [] };
    await this.unitOfWork.run(async () => {
      await this.factors.addPasskey(collaboratorId, {
        ...made,
        id: newId(),
        name,
        createdAt: await this.clock.now(),
      });
      if (recoveryCodesLeft === 0) await this.factors.replaceRecoveryCodes(collaboratorId, fresh.digests);
      await this.note.execute(
        person,
        'passkey.enrolled',
        `The passkey "${name}" was added as your second factor.`,
        { name },
      );
    });
    return { recoveryCodes: fresh.codes };
  }
}
