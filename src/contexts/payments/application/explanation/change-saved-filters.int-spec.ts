import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { type CollaboratorId, newId, type OrganizationId } from '#shared/kernel/ids.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { SavedFilters } from '../../infrastructure/explanation/persistence/saved-filters.js';
import { ChangeSavedFilters } from './change-saved-filters.js';

let platform: TestPlatform;
let filters: SavedFilters;
let change: ChangeSavedFilters;
beforeEach(async () => {
  platform = await openTestDatabase();
  const { database, clock } = platform;
  filters = new SavedFilters(database);
  change = new ChangeSavedFilters(database, clock, filters, new PostgresAuditLog(database));
});
afterEach(() => platform.close());

const newPerson = () => ({
  collaboratorId: newId<CollaboratorId>(),
  organizationId: newId<OrganizationId>(),
  actor: 'anna@shop.example',
});

describe('The list of saved filters', () => {
  it('contains the filters of one person by name, and each change is audited', async () => {
    const [anna, ben] = [newPerson(), newPerson()];
    await change.save(anna, { name: 'VIP', query: 'reference=vip' });
    await change.save(anna, { name: ' berlin ', query: 'pos=1' });
    await change.save(anna, { name: 'VIP', query: 'reference=v' });
    await change.remove(ben, 'VIP');

    expect(await filters.list(anna.collaboratorId)).toEqual([
      { name: 'berlin', query: 'pos=1' },
      { name: 'VIP', query: 'reference=v' },
    ]);
    await change.remove(anna, 'berlin');
    expect(await filters.list(anna.collaboratorId)).toHaveLength(1);
    const audited = await platform.database.query<{ action: string }>(
      'SELECT action FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
      [anna.collaboratorId],
    );
    const saved = { action: 'saved_filter.saved' };
    expect(audited).toEqual([saved, saved, saved, { action: 'saved_filter.deleted' }]);
  });

  it('accepts at most 20 filters, with names of 1 to 40 characters', async () => {
    const anna = newPerson();
    const save = async (name: string) => change.save(anna, { name, query: 'status=open' });
    const outcomes = await Promise.allSettled(Array.from({ length: 22 }, (_, at) => save(`filter ${at}`)));

    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await save((await filters.list(anna.collaboratorId))[0]!.name);
    await expect(save('one more')).rejects.toMatchObject({ kind: 'invalid' });
    for (const wrong of ['', 'x'.repeat(41)])
      await expect(save(wrong)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
