import type { INestApplicationContext } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';

/** For what a person is asked to confirm. Every organization has an account. @throws not_found */
export async function organizationName(context: INestApplicationContext, id: string): Promise<string> {
  const [row] = await context
    .get(Database, { strict: false })
    .query<{ name: string }>(
      'SELECT organization_name AS name FROM identity.public_accounts WHERE organization_id = $1 LIMIT 1',
      [id],
    );
  if (row === undefined) throw notFound('organization');
  return row.name;
}
