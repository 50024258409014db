import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '../../contract/account-directory.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { organizationNotApprovedError } from '../../contract/organization-approval.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import { type Credential, keyIdOf, ApiKeyEnvironment } from '../../domain/credentials/credential.js';
import { digestOf, fingerprintOf, newSecret } from '../secret.js';
import { recordCredentialAuditEntry } from './record-credential-audit-entry.js';

type CredentialDescription = Pick<
  Credential,
  'organizationId' | 'accountId' | 'name' | 'roles' | 'allowedAddresses' | 'pairing'
>;

export interface IssuedCredential {
  readonly credential: Credential;
  readonly secret: string;
}

@Injectable()
export class IssueCredential {
  constructor(
    private readonly clock: Clock,
    private readonly environment: ApiKeyEnvironment,
    private readonly organizations: Organizations,
    private readonly accountDirectory: AccountDirectory,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
    private readonly cell: DeploymentCell,
  ) {}

  /** Requires a unit of work. @throws organization_not_approved; not_found */
  async issue(
    described: CredentialDescription,
    action: 'credential.created' | 'credential.paired',
    by: Actor,
  ): Promise<IssuedCredential> {
    const { organizationId, accountId } = described;
    await this.requireApprovedOrganization(organizationId);
    if (accountId !== null && !(await this.accountDirectory.belongsTo(accountId, organizationId)))
      throw notFound('account');
    const at = await this.clock.now();
    const id = this.cell.newMarkedId<CredentialId>();
    const secret = newSecret();
    const credential: Credential = {
      ...described,
      id,
      keyId: keyIdOf(this.environment.name, id),
      enabled: true,
      lastUsedAt: null,
      createdAt: at,
      updatedAt: at,
    };
    const digest = digestOf(secret);
    await this.credentials.add(credential, digest);
    await recordCredentialAuditEntry(this.auditLog, action, {
      ...by,
      at,
      before: null,
      after: credential,
      secretFingerprint: fingerprintOf(digest),
    });
    return { credential, secret };
  }

  /** @throws organization_not_approved in production */
  async requireApprovedOrganization(organizationId: Credential['organizationId']): Promise<void> {
    const { approvedAt } = await this.organizations.lockOrganizationRow(organizationId);
    if (this.environment.name === 'production' && approvedAt === null) throw organizationNotApprovedError();
  }
}
