import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { SecondFactors } from '../../infrastructure/people/persistence/second-factors.js';
import { MAX_PASSKEY_NAME_LENGTH } from '../../domain/people/second-factors.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { DashboardSessions } from '../../infrastructure/people/persistence/dashboard-sessions.js';
import { SecondFactorChangeRunner, type SecondFactorChange } from './second-factor-change-runner.js';
import { RecordSecurityChange } from './record-security-change.js';
import { newRecoveryCodes } from './recovery-codes.js';

@Injectable()
export class EnrolPasskey {
  constructor(
    private readonly changes: SecondFactorChangeRunner,
    private readonly clock: Clock,
    private readonly factors: SecondFactors,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly sessions: DashboardSessions,
    private readonly recordSecurityChange: RecordSecurityChange,
  ) {}

  async begin(person: SecondFactorChange & { name: string }): Promise<string> {
    const { collaboratorId: id, email, name, sessionId } = person;
    const { passkeys } = await this.factors.readEnrolledFactors(id);
    const { optionsJson, challenge } = await this.ceremonies.beginEnrolment({ id, email, name }, passkeys);
    await this.sessions.storeChallenge(sessionId, challenge);
    return optionsJson;
  }

  /** @returns new recovery codes if the person has none, else an empty list */
  async finish(
    person: SecondFactorChange,
    label: string,
    answer: string,
  ): Promise<{ recoveryCodes: string[] }> {
    const name = requireText('name', label, MAX_PASSKEY_NAME_LENGTH);
    const challenge = await this.sessions.consumeChallenge(person.sessionId);
    const made = challenge === null ? null : await this.ceremonies.finishEnrolment(answer, challenge);
    if (made === null)
      throw invalidField('answer', 'passkey', 'does not belong to this page. Press the button again.');
    const { collaboratorId } = person;
    return this.changes.run(person, async ({ recoveryCodesLeft }) => {
      await this.factors.addPasskey(collaboratorId, {
        ...made,
        id: newId(),
        name,
        createdAt: await this.clock.now(),
      });
      await this.recordSecurityChange.record(
        person,
        'passkey.enrolled',
        `The passkey "${name}" was added as your second factor.`,
        { name },
      );
      if (recoveryCodesLeft > 0) return { recoveryCodes: [] };
      const { codes, digests } = newRecoveryCodes();
      await this.factors.replaceRecoveryCodes(collaboratorId, digests);
      return { recoveryCodes: codes };
    });
  }
}
