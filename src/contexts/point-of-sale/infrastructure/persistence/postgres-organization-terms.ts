import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { OrganizationTerms } from '../../contract/organization-terms.js';

@Injectable()
export class PostgresOrganizationTerms extends OrganizationTerms {
  constructor(private readonly database: Database) {
    super();
  }

  async settlementAddress(organization: OrganizationId, network: string): Promise<string | null> {
    const [row] = await this.database.query<{ address: string }>(
      `SELECT settlement_address AS address FROM point_of_sale.settlement_terms
       WHERE organization_id = $1 AND account_id IS NULL AND network = $2 ORDER BY number DESC LIMIT 1`,
      [organization, network],
    );
    return row?.address ?? null;
  }
}
