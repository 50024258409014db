import { Injectable } from '@nestjs/common';
import { may } from '#shared/kernel/dashboard-access.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { Caller } from '#shared/kernel/rate-limits.js';
import { requiredText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { MAX_KEY_NAME_LENGTH } from '../../domain/credentials/credential.js';
import { isInvalid, pairingCodeInvalid, pairingCodeTyped } from './pairing-code.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { ExchangeAttempts } from '../../infrastructure/credentials/persistence/exchange-attempts.js';
import { IssueCredential, type Issued } from '../credentials/issue-credential.js';
import { digestOf } from '../secret.js';
import { Pairings, type PairingSubject } from '../../infrastructure/persistence/pairings.js';

export interface DeviceToPair {
  readonly code: string;
  readonly deviceName: string;
  /** Canonical IP address of the caller. */
  readonly address: string;
  readonly caller: Caller;
}

@Injectable()
export class PairDevice {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly attempts: ExchangeAttempts,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly pairings: Pairings,
    private readonly issueCredential: IssueCredential,
  ) {}

  /**
   * The pairing code stays valid after a refusal.
   * @throws RateLimited, pairing_code_invalid, organization_not_approved
   */
  async pair({ code, deviceName, address, caller }: DeviceToPair): Promise<Issued> {
    const name = requiredText('device_name', deviceName, MAX_KEY_NAME_LENGTH);
    const digest = digestOf(pairingCodeTyped(code));
    return this.counted(caller, () => this.pairWith(digest, name, address));
  }

  /** Returns what the code pairs a device with; does not consume the code. @throws RateLimited, pairing_code_invalid */
  subjectOf({ code, caller }: Pick<DeviceToPair, 'code' | 'caller'>): Promise<PairingSubject> {
    return this.counted(caller, async () => {
      const subject = await this.pairings.subjectOf(digestOf(pairingCodeTyped(code)));
      if (subject === null) throw pairingCodeInvalid();
      return subject;
    });
  }

  private async counted<T>(caller: Caller, attempt: () => Promise<T>): Promise<T> {
    const refusal = await this.count(caller);
    try {
      const result = await attempt();
      if (refusal === undefined) await this.attempts.givePairingBack(caller);
      return result;
    } catch (error) {
      throw refusal !== undefined && isInvalid(error) ? refusal : error;
    }
  }

  /**
   * Counts a pairing attempt before its code is checked, so that concurrent attempts are all counted. A caller above
   * its own limit may still pair with a valid code, because others behind the same IP address may have used up the
   * limit. A second limit across all callers prevents guessing.
   * @returns the error to throw for a wrong code, if the caller is above its own limit
   * @throws RateLimited if the limit across all callers is used up too
   */
  private async count(caller: Caller): Promise<RateLimited | undefined> {
    try {
      await this.attempts.takePairing(caller);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await this.attempts.takePairingBeyond();
      return error;
    }
  }

  private async pairWith(digest: Buffer, name: string, address: string): Promise<Issued> {
    const offered = await this.pairings.find(digest);
    if (offered === null) throw pairingCodeInvalid();
    return this.unitOfWork.run(async () => {
      // Changing a collaborator takes the same lock, so a person who is being disabled cannot leave a paired device
      // behind.
      await this.organizations.lock(offered.organizationId);
      const taken = await this.pairings.take(digest);
      if (taken === null) throw pairingCodeInvalid();
      const { organizationId, accountId, id: pointOfSaleId, offeredBy } = taken;
      const person = await this.collaborators.lock(organizationId, offeredBy);
      if (!person.enabled || !may(person.role, 'pair_devices')) throw pairingCodeInvalid();
      return this.issueCredential.issue(
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
