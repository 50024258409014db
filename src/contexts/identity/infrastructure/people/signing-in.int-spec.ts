import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PASSWORD, PeopleWorld } from '../../testing/people-world.js';

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());

/** Returns the outcomes of sign-ins in the audit log, oldest first. */
async function recorded(email: string): Promise<object[]> {
  await world.waitForPendingWork();
  const entries = await world.query<{ action: string; after: Record<string, string>; address: string }>(
    "SELECT action, after, address FROM identity.audit_log WHERE actor = $1 AND action LIKE 'sign_in.%' ORDER BY position",
    [email],
  );
  return entries.map(({ action, after: { browser, ...values }, address }) => {
    expect([typeof browser, address]).toEqual(['string', '127.0.0.1']);
    return { action, ...values };
  });
}

const newDeviceMails = async (email: string) =>
  (
    await world.query(
      "SELECT FROM identity.outgoing_mails WHERE recipient = $1 AND body LIKE 'New sign-in to your account from a new device%'",
      [email],
    )
  ).length;

describe('A sign-in', () => {
  it('leads to the requested page only if a second factor is enrolled', async () => {
    const then = '/app/team';
    const pageAfter = async ({ email }: { email: string }) => {
      const answer = await world.openBrowser().post('/app/sign-in', { email, password: PASSWORD, then });
      return answer.headers.get('location');
    };

    expect(await pageAfter(await world.createEnrolledPerson())).toBe('/app/second-factor?then=%2Fapp%2Fteam');
    expect(await pageAfter(await world.createUnenrolledPerson())).toBe('/app/second-factor/enrol');
  });

  it('is recorded with its second factor, and reported by mail if the device is new', async () => {
    const { email, recoveryCodes } = await world.createEnrolledPerson();
    const browser = world.openBrowser();
    const signIn = async (code: string) => {
      await browser.post('/app/sign-in', { email, password: PASSWORD });
      expect((await browser.post('/app/second-factor', { code })).status).toBe(303);
    };

    await signIn(recoveryCodes[0]!);
    expect(await newDeviceMails(email)).toBe(1);
    await browser.post('/app/sign-out');
    await signIn(recoveryCodes[1]!);

    const factor = 'recovery code';
    expect(await recorded(email)).toEqual([
      { action: 'sign_in.passed', factor, device: 'new' },
      { action: 'sign_in.passed', factor, device: 'known' },
    ]);
    expect(await newDeviceMails(email)).toBe(1);
    expect(await browser.text('/app/account')).toContain('recovery code, new device');
    expect(await browser.text('/app/audit-log')).toContain('Signed in');
  });

  it('is recorded for each failure, and once for all further attempts that are rejected unchecked', async () => {
    const { email, person } = await world.createEnrolledPerson();
    const enter = async (password: string) =>
      (await world.openBrowser().post('/app/sign-in', { email: email.toUpperCase(), password })).status;
    const known = world.openBrowser();
    await known.post('/app/sign-in', { email, password: PASSWORD });
    expect((await known.post('/app/second-factor', { code: '000000' })).status).toBe(400);
    await world.waitForPendingWork();

    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1)
      statuses.push(await enter('not the password'), (await world.waitForPendingWork(), 0));

    const wrong = { action: 'sign_in.refused', reason: 'wrong password' };
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    expect(await recorded(email)).toEqual([
      { action: 'sign_in.refused', reason: 'wrong code' },
      ...Array(5).fill(wrong),
      { action: 'sign_in.refused', reason: 'too many tries' },
    ]);
    expect(await person.text('/app/account')).toContain('Failed: too many tries');
  });

  it('leaves no record for an unknown email address', async () => {
    await world.openBrowser().post('/app/sign-in', { email: 'nobody@shop.example', password: 'x' });

    expect(await recorded('nobody@shop.example')).toEqual([]);
  });
});

describe('The response to a reset request and to a wrong password', () => {
  it('does not depend on the existence of the person', async () => {
    const { email } = await world.createEnrolledPerson();
    const { database } = world.api.platform;
    const statuses: number[] = [];

    await database.run(async () => {
      // These locks delay the work that follows a response. The responses must not wait for it.
      await database.queryInTransaction(
        'LOCK TABLE identity.reset_links, identity.audit_log IN ACCESS EXCLUSIVE MODE',
      );
      for (const each of [email, 'nobody@shop.example']) {
        statuses.push((await world.openBrowser().post('/app/password-reset', { email: each })).status);
        const form = { email: each, password: 'not the password' };
        statuses.push((await world.openBrowser().post('/app/sign-in', form)).status);
      }
    });

    expect(statuses).toEqual([303, 400, 303, 400]);
    expect(await world.resetLinks(email)).toHaveLength(1);
    expect(await recorded(email)).toHaveLength(1);
  });
});

/** Returns the SQL statements of the dashboard in order, including those that run after the response. */
async function statementsOf(act: () => Promise<void>): Promise<string[]> {
  await world.waitForPendingWork();
  const database = world.api.platform.database.constructor.prototype as { query: (text: string) => unknown };
  const query = jest.spyOn(database, 'query');
  await act();
  await world.waitForPendingWork();
  const statements = query.mock.calls.map(([text]) => text);
  query.mockRestore();
  return statements;
}

describe('The limit of wrong passwords of an address', () => {
  const at = (address: string) => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address });

  it('rejects unknown devices from memory before the person is read, but no known device', async () => {
    const { email, recoveryCodes } = await world.createEnrolledPerson();
    const address = at('198.51.100.50');
    const known = world.openBrowser();
    await known.post('/app/sign-in', { email, password: PASSWORD });
    await known.post('/app/second-factor', { code: recoveryCodes[0]! });
    await known.post('/app/sign-out');
    for (let n = 0; n < 50; n += 1)
      await world
        .openBrowser()
        .post('/app/sign-in', { email: `nobody-${n}@shop.example`, password: 'x' }, address);
    const guess = async () => {
      const sent = { email: 'nobody@shop.example', password: 'x' };
      expect((await world.openBrowser().post('/app/sign-in', sent, address)).status).toBe(429);
      await world.waitForPendingWork();
    };

    await guess();
    const statements = await statementsOf(guess);

    // The only statement runs after the response: it looks up the unknown address, and nothing is recorded.
    expect(statements).toEqual([expect.stringContaining('c.email = $1')]);
    expect((await known.post('/app/sign-in', { email, password: PASSWORD }, address)).status).toBe(303);
  });

  it('runs the same SQL statements for a known and an unknown person', async () => {
    const { email } = await world.createEnrolledPerson();
    const guess = async (each: string) => {
      const stranger = world.openBrowser();
      stranger.set('__Host-dashboard_device', 'made up');
      await stranger.post('/app/sign-in', { email: each, password: 'wrong' }, at('198.51.100.51'));
    };

    const known = await statementsOf(() => guess(email));
    const unknown = await statementsOf(() => guess('nobody-else@shop.example'));

    // These four query the device, the two limits and the person. All later statements run after the response.
    expect(known.slice(0, 4)).toEqual(unknown.slice(0, 4));
    expect(known[3]).toContain('c.email = $1');
  });
});
