import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { MOST_CHOICES } from '#shared/kernel/choices.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { PostgresAccountNames } from './postgres-accounts.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close());

/** An organization with so many accounts. */
async function organization(accounts: number) {
  const organizationId = newId<OrganizationId>();
  const found = await platform.database.query<{ id: string }>(
    `WITH made AS (INSERT INTO identity.organizations (id, name, created_at, updated_at)
       VALUES ($1, 'Example Shops', now(), now()))
     INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Branch ' || n, now(), now() FROM generate_series(1, $2::int) n RETURNING id`,
    [organizationId, accounts],
  );
  return { organizationId, accountIds: found.map(({ id }) => id) };
}

it('Few accounts are all offered beside the chosen one; many are found by a part of their name or by an id', async () => {
  const names = new PostgresAccountNames(platform.database);
  const [few, many] = [await organization(2), await organization(MOST_CHOICES + 1)];
  const offered = async ({ organizationId }: typeof few, typed?: string) =>
    (await names.choices(organizationId, { typed })).total;

  expect(await offered(few, few.accountIds[0]!.toUpperCase())).toBe(2);
  expect(await offered(few, 'BRANCH 2')).toBe(1);
  expect(await offered(few, newId())).toBe(0);
  expect(await offered(many)).toBe(MOST_CHOICES + 1);
  expect(await offered(many, many.accountIds[0])).toBe(1);
});

it('accounts with the same name are listed in a stable order', async () => {
  const { organizationId, accountIds } = await organization(MOST_CHOICES);
  await platform.database.query('UPDATE identity.accounts SET name = $2 WHERE organization_id = $1', [
    organizationId,
    'Branch',
  ]);

  const { items } = await new PostgresAccountNames(platform.database).choices(organizationId, {});

  expect(items.map(({ id }) => id)).toEqual(accountIds.toSorted());
});
