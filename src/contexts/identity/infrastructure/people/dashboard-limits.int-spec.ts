import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { PeopleWorld } from '../../testing/people-world.js';

const LIMIT = 20;

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start({ pages: LIMIT })));
afterAll(() => world.close());

/** Sends one request more than the limit allows. @returns the distinct statuses, in the order received */
async function flood(person: DashboardPerson, path: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n <= LIMIT; n += 1) statuses.push((await person.get(path)).status);
  return [...new Set(statuses)];
}

describe('The limit of the dashboard', () => {
  it('rejects callers of an address without a session, but no valid sessions', async () => {
    const { person } = await world.createEnrolledPerson();
    const forged = world.openBrowser();
    const misses = world.openBrowser();

    expect(await flood(forged, '/app/account')).toEqual([401, 429]);
    expect(await flood(forged, '/app/sign-in')).toEqual([200, 429]);
    for (let n = 0; n < 30; n += 1) await misses.get(`/app/invitation/nobody-${n}`);
    expect((await misses.get('/app/invitation/nobody')).status).toBe(429);

    expect((await person.get('/app/account')).status).toBe(200);
  });

  it('rejects a session that sends too many requests, but no other session of the same address', async () => {
    const { person } = await world.createEnrolledPerson();
    const { person: other } = await world.createEnrolledPerson();

    expect(await flood(person, '/app/account')).toEqual([200, 429]);
    expect((await other.get('/app/account')).status).toBe(200);
  });
});
