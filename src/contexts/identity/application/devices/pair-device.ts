import { Injectable } from '@nestjs/common';
import { may } from '#shared/kernel/dashboard-access.js';
import { requiredText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { MAX_KEY_NAME_LENGTH } from '../../domain/credentials/credential.js';
import { pairingCodeInvalid, pairingCodeTyped } from './pairing-code.js';
import { Collaborators } from '../../domain/people/collaborator.js';
import { Organizations } from '../../domain/accounts/organization.js';
import { ExchangeAttempts } from '../credentials/exchange-token.js';
import { IssueCredential, type Issued } from '../credentials/issue-credential.js';
import { digestOf } from '../secret.js';
import { Pairings, type PairingSubject } from './pairings.js';

export interface DeviceToPair {
  readonly code: string;
  readonly deviceName: string;
  /** Canonical address of the caller. */
  readonly address: string;
  /** The key that the caller's tries are counted by. */
  readonly caller: string;
}

/** A phone that knows a code becomes a device of the point of sale that the code was offered for. */
@Injectable()
export class PairDevice {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly attempts: ExchangeAttempts,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly pairings: Pairings,
    private readonly issue: IssueCredential,
  ) {}

  /** @throws RateLimited, pairing_code_invalid, validation_failed, organization_not_approved; a refusal leaves the code as it is */
  async execute({ code, deviceName, address, caller }: DeviceToPair): Promise<Issued> {
    const name = requiredText('device_name', deviceName, MAX_KEY_NAME_LENGTH);
    const digest = digestOf(pairingCodeTyped(code));
    // Taken before the code is looked at, and given back where it was right: many tries at once must not be more than the limit.
    await this.attempts.takePairing(caller);
    const issued = await this.pair(digest, name, address);
    await this.attempts.givePairingBack(caller);
    return issued;
  }

  /** Reads whose till a code pairs with, and leaves the code as it is. @throws RateLimited, pairing_code_invalid */
  async subjectOf({ code, caller }: Pick<DeviceToPair, 'code' | 'caller'>): Promise<PairingSubject> {
    await this.attempts.takePairing(caller);
    const subject = await this.pairings.subjectOf(digestOf(pairingCodeTyped(code)));
    if (subject === null) throw pairingCodeInvalid();
    await this.attempts.givePairingBack(caller);
    return subject;
  }

  private async pair(digest: Buffer, name: string, address: string): Promise<Issued> {
    const offered = await this.pairings.find(digest);
    if (offered === null) throw pairingCodeInvalid();
    return this.unitOfWork.run(async () => {
      // Changes of people lock it too: a person who is disabled at this moment leaves no device behind.
      await this.organizations.lock(offered.organizationId);
      const taken = await this.pairings.take(digest);
      if (taken === null) throw pairingCodeInvalid();
      const { organizationId, accountId, id: pointOfSaleId, offeredBy } = taken;
      const person = await this.collaborators.lock(organizationId, offeredBy);
      if (!person.enabled || !may(person.role, 'pair_devices')) throw pairingCodeInvalid();
      return this.issue.execute(
        {
          organizationId,
          accountId,
          name,
          roles: ['read', 'write'],
          allowedAddresses: [],
          pairing: { pointOfSaleId, pairedBy: person.id, pairedAs: person.role },
        },
        'credential.paired',
        { actor: person.email, address },
      );
    });
  }
}
