import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { requireText } from '#shared/kernel/text.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import {
  MAX_KEY_NAME_LENGTH,
  rolesFrom,
  type Credential,
  type CredentialReference,
} from '../../domain/credentials/credential.js';
import { readIpAllowlist } from '../../domain/credentials/allowed-ip-ranges.js';
import { AuditLog } from '../../contract/audit-log.js';
import { recordCredentialAuditEntry } from './record-credential-audit-entry.js';

export interface ChangeCredentialInput extends CredentialReference {
  name?: string;
  roles?: readonly string[];
  /** Allowed IP ranges. An empty list allows every address. */
  allowedAddresses?: readonly string[];
}

/** Applies from the next request, even to tokens issued before the change. */
@Injectable()
export class ChangeCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
  ) {}

  async change(input: ChangeCredentialInput): Promise<Credential> {
    const { organizationId, credentialId, name, roles, allowedAddresses, actor, address } = input;
    const changes = {
      ...(name === undefined ? {} : { name: requireText('name', name, MAX_KEY_NAME_LENGTH) }),
      ...(roles === undefined ? {} : { roles: rolesFrom(roles) }),
      ...(allowedAddresses === undefined ? {} : { allowedAddresses: readIpAllowlist(allowedAddresses) }),
    };
    return this.unitOfWork.run(async () => {
      const before = await this.credentials.lockCredentialRow(organizationId, credentialId);
      const at = await this.clock.now();
      const after: Credential = { ...before, ...changes, updatedAt: at };
      await this.credentials.save(after);
      await recordCredentialAuditEntry(this.auditLog, 'credential.changed', {
        actor,
        address,
        at,
        before,
        after,
      });
      return after;
    });
  }
}
