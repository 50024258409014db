import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { PASSWORD, PeopleWorld } from '../../testing/people-world.js';

/** Hours of the day at which the attacker resets the password and starts guessing codes again. */
const HOURS = [0, 1, 2, 5, 8, 11, 14, 17, 20, 23];

/** A recovery code that no person has. */
const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA';

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());

/** Each request has its own IP address, named in the header of the trusted proxy. */
const from = (address: string) => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address });
const enter = (one: DashboardPerson, code: string, address = '203.0.113.9') =>
  one.post('/app/second-factor', { code }, from(address));
const statuses = (answers: Response[]) => answers.map(({ status }) => status);

async function halfway(email: string, password = PASSWORD): Promise<DashboardPerson> {
  const one = world.openBrowser();
  const entered = await one.post('/app/sign-in', { email, password });
  expect(entered.headers.get('location')).toBe('/app/second-factor');
  return one;
}

/** Yields six-digit codes that the authenticator app does not display within some minutes of now. */
function* wrongCodes(secret: string): Generator<string> {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const shown = new Set<string>();
  for (let step = -4; step <= 4; step += 1)
    shown.add(totp.generate({ timestamp: Date.now() + step * 30_000 }));
  for (let n = 0; ; n += 1) {
    const code = String(n % 1_000_000).padStart(6, '0');
    if (!shown.has(code)) yield code;
  }
}

describe('The limit of wrong codes', () => {
  it('lets only 21 of 110 guesses in a day be checked, despite new passwords, devices and addresses', async () => {
    const { email, person } = await world.createEnrolledPerson();
    const thief = world.openBrowser();
    const seen = { evaluated: 0, refused: 0, resets: 0 };
    for (const [i, hour] of HOURS.entries()) {
      const address = `2001:db8:${hour.toString(16)}::1`;
      const password = `the thief's password ${hour}`;
      await thief.post('/app/password-reset', { email }, from(address));
      const answer = await thief.post((await world.resetLinks(email)).at(-1)!, { password }, from(address));
      if (answer.status === 303) seen.resets += 1;
      await thief.post('/app/sign-in', { email, password }, from(address));
      const codes = wrongCodes(person.authenticatorSecret);
      const answers: number[] = [];
      for (let n = 0; n < 11; n += 1) {
        thief.set('__Host-dashboard_device', `made up ${n}`);
        answers.push((await enter(thief, codes.next().value as string, `${address}${n}`)).status);
      }
      seen.evaluated += answers.filter((status) => status === 400).length;
      seen.refused += answers.filter((status) => status === 429).length;
      await world.api.platform.advance(((HOURS[i + 1] ?? 24) - hour) * 3_600);
    }

    expect(seen).toEqual({ evaluated: 21, refused: 110 - 21, resets: 10 });
  });

  it('counts concurrent guesses from several sessions exactly', async () => {
    const { email } = await world.createEnrolledPerson();
    const sessions: DashboardPerson[] = [];
    for (let n = 0; n < 5; n += 1) sessions.push(await halfway(email));

    const answers = statuses(
      await Promise.all(Array.from({ length: 50 }, (_, n) => enter(sessions[n % 5]!, WRONG))),
    );

    expect(answers.filter((status) => status === 400)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(40);
  });

  it('is not reset by right codes, and reports the time to wait', async () => {
    const { email, person, recoveryCodes } = await world.createEnrolledPerson();
    const known = world.openBrowser();
    known.set('__Host-dashboard_device', person.cookie('__Host-dashboard_device')!);
    const thief = await halfway(email);
    for (let n = 0; n < 9; n += 1) await enter(thief, WRONG);
    await known.post('/app/sign-in', { email, password: PASSWORD });
    expect((await enter(known, recoveryCodes[0]!)).status).toBe(303);

    expect((await enter(thief, WRONG)).status).toBe(400);
    const refused = await enter(thief, recoveryCodes[1]!);
    const wait = Number(refused.headers.get('retry-after'));
    expect([refused.status, wait > 7_100 && wait <= 7_200]).toEqual([429, true]);
    await world.api.platform.advance(wait);
    expect((await enter(await halfway(email), recoveryCodes[1]!)).status).toBe(303);
  });

  it('does not lock out the person on a known device', async () => {
    const { email, person, recoveryCodes } = await world.createEnrolledPerson();
    const known = world.openBrowser();
    known.set('__Host-dashboard_device', person.cookie('__Host-dashboard_device')!);
    await known.post('/app/sign-in', { email, password: PASSWORD });
    const thief = await halfway(email);
    for (let n = 0; n < 20; n += 1) await enter(thief, WRONG);

    expect((await person.post('/app/confirm', { code: recoveryCodes[0]! })).status).toBe(303);
    expect((await enter(known, recoveryCodes[1]!)).status).toBe(303);
    expect((await enter(thief, recoveryCodes[2]!)).status).toBe(429);
  });

  it('allows five more guesses on a known device', async () => {
    const { email, person } = await world.createEnrolledPerson();
    const known = world.openBrowser();
    known.set('__Host-dashboard_device', person.cookie('__Host-dashboard_device')!);
    await known.post('/app/sign-in', { email, password: PASSWORD });

    const answers = statuses(await Promise.all(Array.from({ length: 40 }, () => enter(known, WRONG))));

    expect(answers.filter((status) => status === 400)).toHaveLength(15);
  });

  it('applies after a password reset, which makes no device known', async () => {
    const { email, recoveryCodes } = await world.createEnrolledPerson();
    const one = world.openBrowser();
    await one.post('/app/password-reset', { email });
    await one.post((await world.resetLinks(email))[0]!, { password: 'another harbour kettle' });
    const knownSignInBrowsers = () =>
      world.query(
        'SELECT FROM identity.known_devices k JOIN identity.collaborators c ON c.id = k.collaborator_id WHERE c.email = $1',
        [email],
      );

    expect([one.cookie('__Host-dashboard_device'), await knownSignInBrowsers()]).toEqual([undefined, []]);
    await one.post('/app/sign-in', { email, password: 'another harbour kettle' });
    expect((await enter(one, recoveryCodes[0]!)).status).toBe(303);
    expect(await knownSignInBrowsers()).toHaveLength(1);
  });
});
