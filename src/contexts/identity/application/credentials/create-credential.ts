import { Injectable } from '@nestjs/common';
import { Cell } from '#shared/kernel/cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, CredentialId, OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { requiredText } from '#shared/kernel/text.js';
import {
  MAX_KEY_NAME_LENGTH,
  rolesFrom,
  type Credential,
  Credentials,
} from '../../domain/credentials/credential.js';
import { AccountDirectory } from '../../contract/account-directory.js';
import { readAllowlist } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment } from '../../domain/credentials/key-id.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { auditCredential } from './audit-credential.js';
import { Organizations } from '../../domain/accounts/organization.js';
import { digestOf, fingerprintOf, newSecret } from '../secret.js';

export interface NewCredential extends Actor {
  organizationId: OrganizationId;
  /** Absent: for the whole organization. */
  accountId?: AccountId;
  name: string;
  roles: readonly string[];
  /** Addresses or CIDR ranges; absent or none: usable from anywhere. */
  allowedAddresses?: readonly string[];
}

/** The secret leaves the service here and never again. In production the organization must have been approved. */
@Injectable()
export class CreateCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly environment: KeyEnvironment,
    private readonly organizations: Organizations,
    private readonly accountDirectory: AccountDirectory,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
    private readonly cell: Cell,
  ) {}

  /** Checks the caller's input without storing anything. @throws DomainError naming the field */
  validate(input: Pick<NewCredential, 'name' | 'roles' | 'allowedAddresses'>) {
    return {
      name: requiredText('name', input.name, MAX_KEY_NAME_LENGTH),
      roles: rolesFrom(input.roles),
      allowedAddresses: readAllowlist(input.allowedAddresses ?? []),
    };
  }

  async execute(input: NewCredential): Promise<{ credential: Credential; secret: string }> {
    const { organizationId, accountId = null } = input;
    const { name, roles, allowedAddresses } = this.validate(input);
    const secret = newSecret();
    const credential = await this.unitOfWork.run(async () => {
      const { approvedAt } = await this.organizations.lock(organizationId);
      if (this.environment.name === 'production' && approvedAt === null) throw organizationNotApproved();
      if (accountId !== null && !(await this.accountDirectory.belongsTo(accountId, organizationId))) {
        throw notFound('account');
      }
      const at = await this.clock.now();
      const id = this.cell.markedId<CredentialId>();
      const born: Credential = {
        id,
        keyId: keyIdOf(this.environment.name, id),
        organizationId,
        accountId,
        name,
        roles,
        allowedAddresses,
        enabled: true,
        lastUsedAt: null,
        createdAt: at,
        updatedAt: at,
      };
      const digest = digestOf(secret);
      await this.credentials.add(born, digest);
      const { actor, address } = input;
      const secretFingerprint = fingerprintOf(digest);
      await auditCredential(this.auditLog, 'credential.created', {
        actor,
        address,
        at,
        before: null,
        after: born,
        secretFingerprint,
      });
      return born;
    });
    return { credential, secret };
  }
}

function organizationNotApproved(): DomainError {
  return new DomainError(
    'conflict',
    'organization_not_approved',
    'The organization is not approved for production yet. Approve it first.',
  );
}
