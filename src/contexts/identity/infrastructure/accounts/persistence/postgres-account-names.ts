import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { AccountNames, type NamedAccount } from '#contexts/identity/contract/account-names.js';

@Injectable()
export class PostgresAccountNames extends AccountNames {
  constructor(private readonly database: Database) {
    super();
  }

  override list(organizationId: OrganizationId, most: number): Promise<NamedAccount[]> {
    return this.database.query<NamedAccount>(
      `SELECT id, name FROM identity.accounts
       WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY name, id LIMIT $2`,
      [organizationId, most],
    );
  }
}
