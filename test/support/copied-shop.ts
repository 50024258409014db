import { newId } from '#shared/kernel/ids.js';
import type { TestService } from './service.js';

type Copying = Pick<TestService, 'query' | 'seed'>;

/** A copy of the demonstration shop that differs in these columns. @returns its id */
export async function copyShop({ query, seed }: Copying, columns: object): Promise<string> {
  const id = newId<string>();
  await query(
    `INSERT INTO point_of_sale.points_of_sale
     SELECT (jsonb_populate_record(p, $1::jsonb)).* FROM point_of_sale.points_of_sale p WHERE id = $2`,
    [JSON.stringify({ id, ...columns }), seed.posId],
  );
  return id;
}

/** Lets another organization collect as the demonstration does. */
export async function copyTerms({ query }: Copying, organizationId: string): Promise<void> {
  await query(
    `WITH copied AS (
       INSERT INTO point_of_sale.settlement_terms
         (id, organization_id, network, settlement_address, fee_recipient, fee_basis_points, set_by, created_at)
       SELECT gen_random_uuid(), $1, network, settlement_address, fee_recipient, fee_basis_points, set_by, created_at
       FROM point_of_sale.settlement_terms RETURNING organization_id
     )
     INSERT INTO point_of_sale.terms_versions (organization_id, version)
     SELECT organization_id, count(*) FROM copied GROUP BY organization_id`,
    [organizationId],
  );
  await query(
    `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
     SELECT created_at, set_by, 'settlement_terms.set', organization_id, id, to_jsonb(t)
     FROM point_of_sale.settlement_terms t WHERE organization_id = $1`,
    [organizationId],
  );
}
