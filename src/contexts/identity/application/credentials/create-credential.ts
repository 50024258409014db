import { Injectable } from '@nestjs/common';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { requireText } from '#shared/kernel/text.js';
import { MAX_KEY_NAME_LENGTH, rolesFrom } from '../../domain/credentials/credential.js';
import { readIpAllowlist } from '../../domain/credentials/allowed-ip-ranges.js';
import type { Actor } from '../../contract/audit-log.js';
import { IssueCredential, type IssuedCredential } from './issue-credential.js';

export interface NewCredential extends Actor {
  organizationId: OrganizationId;
  /** Absent: acts for all accounts of the organization. */
  accountId?: AccountId;
  name: string;
  roles: readonly string[];
  /** Allowed IP ranges. If absent or empty, every address is allowed. */
  allowedAddresses?: readonly string[];
}

@Injectable()
export class CreateCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly issueCredential: IssueCredential,
  ) {}

  validate(input: Pick<NewCredential, 'name' | 'roles' | 'allowedAddresses'>) {
    return {
      name: requireText('name', input.name, MAX_KEY_NAME_LENGTH),
      roles: rolesFrom(input.roles),
      allowedAddresses: readIpAllowlist(input.allowedAddresses ?? []),
    };
  }

  create(input: NewCredential): Promise<IssuedCredential> {
    const { organizationId, accountId = null, actor, address } = input;
    const described = { organizationId, accountId, ...this.validate(input), pairing: null };
    return this.unitOfWork.run(() =>
      this.issueCredential.issue(described, 'credential.created', { actor, address }),
    );
  }
}
