import { newId } from '#shared/kernel/ids.js';

type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** Another organization like that one, with an account and nothing else. @returns its id */
export async function anotherOrganization(query: Query, like: string): Promise<string> {
  const [organization, account] = [newId(), newId()];
  await query(
    `INSERT INTO identity.organizations SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text))).*
     FROM identity.organizations o WHERE id = $1`,
    [like, organization],
  );
  await query(
    `INSERT INTO identity.accounts
     SELECT (jsonb_populate_record(a, jsonb_build_object('id', $2::text, 'organization_id', $3::text))).*
     FROM identity.accounts a WHERE organization_id = $1 LIMIT 1`,
    [like, account, organization],
  );
  return organization;
}
