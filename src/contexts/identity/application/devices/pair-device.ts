import { Injectable } from '@nestjs/common';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { MAX_KEY_NAME_LENGTH } from '../../domain/credentials/credential.js';
import { isPairingCodeInvalid, pairingCodeInvalid, normalizePairingCode } from './pairing-code.js';
import { Collaborators } from '../../infrastructure/people/persistence/collaborators.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { AuthenticationAttempts } from '../../infrastructure/credentials/persistence/authentication-attempts.js';
import { IssueCredential, type IssuedCredential } from '../credentials/issue-credential.js';
import { digestOf } from '../secret.js';
import { Pairings, type PairingSubject } from '../../infrastructure/persistence/pairings.js';

export interface PairDeviceInput {
  readonly code: string;
  readonly deviceName: string;
  readonly address: string;
  readonly caller: CallerAddressRanges;
}

@Injectable()
export class PairDevice {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly attempts: AuthenticationAttempts,
    private readonly organizations: Organizations,
    private readonly collaborators: Collaborators,
    private readonly pairings: Pairings,
    private readonly issueCredential: IssueCredential,
  ) {}

  /**
   * The pairing code stays valid after a refusal. @throws RateLimited, pairing_code_invalid,
   * organization_not_approved
   */
  async pair({ code, deviceName, address, caller }: PairDeviceInput): Promise<IssuedCredential> {
    const name = requireText('device_name', deviceName, MAX_KEY_NAME_LENGTH);
    const digest = digestOf(normalizePairingCode(code));
    return this.runCountedAttempt(caller, () => this.pairWithCode(digest, name, address));
  }

  /** Does not consume the code. @throws RateLimited, pairing_code_invalid */
  findPointOfSaleToPair({ code, caller }: Pick<PairDeviceInput, 'code' | 'caller'>): Promise<PairingSubject> {
    return this.runCountedAttempt(caller, async () => {
      const subject = await this.pairings.findPointOfSaleOfCode(digestOf(normalizePairingCode(code)));
      if (subject === null) throw pairingCodeInvalid();
      return subject;
    });
  }

  private async runCountedAttempt<T>(caller: CallerAddressRanges, attempt: () => Promise<T>): Promise<T> {
    const refusal = await this.countAttempt(caller);
    try {
      const result = await attempt();
      if (refusal === undefined) await this.attempts.uncountPairing(caller);
      return result;
    } catch (error) {
      throw refusal !== undefined && isPairingCodeInvalid(error) ? refusal : error;
    }
  }

  /**
   * Counts before the code is checked, so that concurrent attempts are all counted. A caller above its own limit may
   * still pair, because others share its IP address. @returns the error for a wrong code, if the caller is above its
   * own limit
   */
  private async countAttempt(caller: CallerAddressRanges): Promise<RateLimited | undefined> {
    try {
      await this.attempts.countPairing(caller);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await this.attempts.countPairingAgainstSharedLimit();
      return error;
    }
  }

  private async pairWithCode(digest: Buffer, name: string, address: string): Promise<IssuedCredential> {
    const offered = await this.pairings.findCode(digest);
    if (offered === null) throw pairingCodeInvalid();
    return this.unitOfWork.run(async () => {
      // Changing a collaborator takes the same lock, so a disabled person leaves no paired device behind.
      await this.organizations.lockOrganizationRow(offered.organizationId);
      const taken = await this.pairings.consumeCode(digest);
      if (taken === null) throw pairingCodeInvalid();
      const { organizationId, accountId, id: pointOfSaleId, offeredBy } = taken;
      const person = await this.collaborators.lockCollaboratorRow(organizationId, offeredBy);
      if (!person.enabled || !hasPermission(person.role, 'pair_devices')) throw pairingCodeInvalid();
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
