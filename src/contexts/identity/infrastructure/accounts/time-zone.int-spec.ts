import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { PeopleWorld } from '../../testing/people-world.js';

const FORM = '/app/accounts/time-zone';

let world: PeopleWorld;
let owner: DashboardPerson;
let email: string;

beforeAll(async () => {
  world = await PeopleWorld.start();
  ({ person: owner, email } = await world.createEnrolledPerson());
});
afterAll(() => world.close());

const audited = () =>
  world.query(
    `SELECT actor, before, after FROM identity.audit_log WHERE action = 'organization.changed' ORDER BY position`,
  );

describe('The time zone of an organization', () => {
  it('is UTC by default, and applies to all pages once it is set, with an audit entry', async () => {
    await world.api.createOrganization('Other');
    expect(await owner.text('/app/audit-log')).toContain('Times in UTC');

    const page = await owner.shown(owner.post(FORM, { time_zone: ' Asia/Tokyo ' }));

    expect(page).toContain('Time zone updated for everyone in the organization.');
    expect(/<input id="time_zone"[^>]*>/.exec(page)?.[0]).toContain('value="Asia/Tokyo"');
    const shown = await owner.text('/app/audit-log');
    expect(shown).toContain('Times in Asia/Tokyo');
    expect(shown).toMatch(/title="[^"]+ Asia\/Tokyo"/);
    expect(await audited()).toEqual([
      { actor: email, before: { time_zone: 'UTC' }, after: { time_zone: 'Asia/Tokyo' } },
    ]);
    expect(await world.query('SELECT name, time_zone FROM identity.organizations ORDER BY name')).toEqual([
      { name: 'Example Shops', timeZone: 'Asia/Tokyo' },
      { name: 'Other', timeZone: 'UTC' },
    ]);
  });

  it('rejects a time zone that is not in the IANA database', async () => {
    const before = await audited();
    const refused = await owner.post(FORM, { time_zone: 'Mars/Base' });
    expect(refused.status).toBe(400);
    expect(/id="time_zone-problem">([^<]*)</.exec(await refused.text())?.[1]).toContain('IANA time zone');
    expect(await audited()).toEqual(before);
  });
});
