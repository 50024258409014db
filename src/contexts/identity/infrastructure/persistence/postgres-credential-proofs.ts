import { Injectable } from '@nestjs/common';
import type { CredentialId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import {
  CredentialProofs,
  type CredentialState,
  type ProvableCredential,
} from '../../application/credential-proofs.js';
import type { CredentialRow } from './credential-row.js';
import { CredentialUse } from './credential-use.js';

type ProofRow = Pick<
  CredentialRow,
  'id' | 'key_id' | 'organization_id' | 'account_id' | 'roles' | 'allowed_addresses' | 'enabled'
> & { secret_digest: Buffer };

@Injectable()
export class PostgresCredentialProofs extends CredentialProofs {
  constructor(
    private readonly database: Database,
    private readonly use: CredentialUse,
  ) {
    super();
  }

  async read(keyId: string): Promise<CredentialState> {
    const [row] = await this.database.query<{ now: Date } & (ProofRow | { id: null })>(
      `SELECT clock.now, c.id, c.key_id, c.secret_digest, c.organization_id, c.account_id, c.roles,
         c.allowed_addresses, c.enabled
       FROM (SELECT platform.now() AS now) clock
       LEFT JOIN identity.credentials c ON c.key_id = $1`,
      [keyId],
    );
    if (row === undefined) throw new Error('The clock did not answer.');
    return { now: row.now, credential: row.id === null ? null : fromRow(row as ProofRow) };
  }

  noteUse(id: CredentialId, at: Date): void {
    this.use.note(id, at);
  }
}

function fromRow(row: ProofRow): ProvableCredential {
  return {
    id: row.id,
    keyId: row.key_id,
    secretDigest: row.secret_digest,
    organizationId: row.organization_id,
    accountId: row.account_id,
    roles: row.roles,
    allowedAddresses: row.allowed_addresses,
    enabled: row.enabled,
  };
}
