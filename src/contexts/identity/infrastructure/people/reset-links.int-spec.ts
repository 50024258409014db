import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import type { CollaboratorId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PasswordResets } from './persistence/password-resets.js';
import { PASSWORD, PeopleWorld } from '../../testing/people-world.js';

const NEW_PASSWORD = 'lantern harbour kettle nine';

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());

const from = (address: string) => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address });
const ask = (email: string, address = '203.0.113.9') =>
  world.openBrowser().post('/app/password-reset', { email }, from(address));
const use = async (link: string) => (await world.openBrowser().post(link, { password: NEW_PASSWORD })).status;

describe('A reset link', () => {
  it('stays valid when others are requested, at most three in half an hour', async () => {
    const { email } = await world.createEnrolledPerson();
    await ask(email);
    for (let minute = 0; minute < 25; minute += 1) {
      await world.api.platform.advance(60);
      await ask(email);
    }

    const links = await world.resetLinks(email);
    expect(links).toHaveLength(3);
    const used = await world.openBrowser().post(links[0]!, { password: NEW_PASSWORD });
    expect(used.status).toBe(303);
    expect(used.headers.get('set-cookie')).toMatch(/^__Host-dashboard_session=;.*Max-Age=0/);
    for (const link of links) expect(await use(link)).toBe(404);
  });

  it('is created once a minute, also for concurrent requests', async () => {
    const { email } = await world.createEnrolledPerson();
    const { database } = world.api.platform;
    const [person] = await world.query<{ id: CollaboratorId }>(
      'SELECT id FROM identity.collaborators WHERE email = $1',
      [email],
    );
    const put = () => world.api.app.get(PasswordResets).add(person!.id, randomBytes(32));
    let isPut = () => {};
    const second = new Promise<void>((resolve) => (isPut = resolve)).then(() => unitOfWork(put));
    const unitOfWork = <T>(work: () => Promise<T>) => world.api.app.get(UnitOfWork).run(work);

    const first = await unitOfWork(async () => {
      const made = await put();
      isPut();
      const waiting = () =>
        database.query(
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
      await eventually(waiting, ({ length }) => length > 0);
      return made;
    });

    expect([first, await second]).toEqual([true, false]);
  });

  it('counts against the limit even after its use', async () => {
    const { email } = await world.createEnrolledPerson();
    for (let n = 0; n < 5; n += 1) {
      await ask(email);
      const link = (await world.resetLinks(email)).at(-1)!;
      await use(link);
      await world.api.platform.advance(60);
    }

    expect(await world.resetLinks(email)).toHaveLength(3);
  });

  it('works once, also for concurrent uses', async () => {
    const { email } = await world.createEnrolledPerson();
    await ask(email);
    const [link] = await world.resetLinks(email);

    const answers = await Promise.all(Array.from({ length: 4 }, () => use(link!)));

    expect(answers.sort()).toEqual([303, 404, 404, 404]);
  });

  it('is not valid while its person is disabled', async () => {
    const { email } = await world.createEnrolledPerson();
    await ask(email);
    const [link] = await world.resetLinks(email);
    const enable = (enabled: boolean) =>
      world.query('UPDATE identity.collaborators SET enabled = $2 WHERE email = $1', [email, enabled]);

    await enable(false);
    const disabled = await use(link!);
    await enable(true);

    expect([disabled, await use(link!)]).toEqual([404, 303]);
  });

  it('ends when the password is changed without it', async () => {
    const { email, person } = await world.createEnrolledPerson();
    await ask(email);
    const [link] = await world.resetLinks(email);
    const form = { current_password: PASSWORD, password: NEW_PASSWORD };
    expect((await person.post('/app/account/password', form)).status).toBe(303);

    expect(await use(link!)).toBe(404);
  });
});

describe('The limit of reset requests of an address', () => {
  it('counts all IPv6 callers of one /64 network together', async () => {
    for (let host = 1; host <= 50; host += 1)
      await ask(`nobody-${host}@shop.example`, `2001:db8:1:3::${host.toString(16)}`);
    const refused = await ask('nobody@shop.example', '2001:db8:1:3:ffff::1');
    const wait = Number(refused.headers.get('retry-after'));
    // Time passes between the last response and this one, so the wait may be shorter than 30 seconds.
    expect([refused.status, wait > 0 && wait <= 30]).toEqual([429, true]);
    expect((await ask('nobody@shop.example', '2001:db8:1:4::1')).status).not.toBe(429);
  });
});
