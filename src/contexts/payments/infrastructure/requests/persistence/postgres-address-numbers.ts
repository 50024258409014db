import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  AddressNumbers,
  type NumberedAddresses,
  type TakenNumber,
} from '#contexts/payments/domain/requests/address-numbers.js';

@Injectable()
export class PostgresAddressNumbers extends AddressNumbers {
  constructor(private readonly database: Database) {
    super();
  }

  async take({ network, numbering }: NumberedAddresses, organization: OrganizationId): Promise<TakenNumber> {
    const [taken] = await this.database.write<TakenNumber>(
      `INSERT INTO payments.address_numbers AS n (network, numbering, organization_id, next_number) VALUES ($1, $2, $3, 1)
       ON CONFLICT (network, numbering) DO UPDATE SET next_number = n.next_number + 1
       WHERE n.organization_id = excluded.organization_id
       RETURNING id AS numbering_id, next_number - 1 AS number`,
      [network, numbering, organization],
    );
    if (taken !== undefined) return taken;
    throw stateConflict(
      `The wallet that the settlement terms name on ${network} is another organization’s. Ask the operator of this ` +
        'service to set another one.',
    );
  }
}
