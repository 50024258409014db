import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { brokenInvariants } from '#test/support/broken-invariants.js';
import { MOVED_CLOCK } from '#test/support/partial-worlds.js';
import { type DashboardSessionId } from '#shared/kernel/ids.js';
import { DashboardSessions } from './persistence/dashboard-sessions.js';
import { PASSWORD, PeopleWorld } from '../../testing/people-world.js';

const ROUNDS = 3;

let world: PeopleWorld;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());

const SESSION = '__Host-dashboard_session';

/** A second browser with the same session cookie. */
function sharing(person: DashboardPerson): DashboardPerson {
  const copy = world.openBrowser();
  copy.set(SESSION, person.cookie(SESSION)!);
  return copy;
}

async function signedInAgain(email: string): Promise<DashboardPerson> {
  const one = world.openBrowser();
  await one.post('/app/sign-in', { email, password: PASSWORD });
  return one;
}

const confirm = (one: DashboardPerson, newCode: string) =>
  one.post('/app/second-factor/authenticator', { new_code: newCode });
const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort();

/** True if the response of the first enrolled factor redirects to the recovery codes. */
const showsCodes = ({ headers }: Response) => headers.get('location')?.includes('/recovery-codes') === true;

async function withPasskey(email: string): Promise<string> {
  const [row] = await world.query<{ id: string }>(
    `INSERT INTO identity.passkeys (id, collaborator_id, credential_id, public_key, sign_count, name, created_at)
     SELECT gen_random_uuid(), id, uuid_send(gen_random_uuid()), '', 0, 'Key', platform.now()
     FROM identity.collaborators WHERE email = $1 RETURNING id`,
    [email],
  );
  return row!.id;
}

const pendingOf = (email: string) =>
  world.query(
    `SELECT FROM identity.pending_secrets p JOIN identity.dashboard_sessions s ON s.id = p.session_id
     JOIN identity.collaborators c ON c.id = s.collaborator_id WHERE c.email = $1`,
    [email],
  );

describe('The concurrent change of second factors', () => {
  it('enrolls one authenticator app for confirmations from two sessions', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { email, person } = await world.createUnenrolledPerson();
      const both = [person, await signedInAgain(email)];
      const confirmations: (() => Promise<Response>)[] = [];
      for (const one of both) {
        await one.readSecret();
        const code = one.nextCode();
        for (const copy of [sharing(one), sharing(one)]) confirmations.push(() => confirm(copy, code));
      }

      const answers = await Promise.all(confirmations.map((each) => each()));

      expect(answers.filter(showsCodes)).toHaveLength(1);
      expect(await world.factorsOf(email)).toBe(1);
    }
  });

  it('keeps one authenticator app if it is replaced four times', async () => {
    const { email, person } = await world.createEnrolledPerson();
    for (let round = 0; round < ROUNDS; round += 1) {
      await person.readSecret();
      const code = person.nextCode();

      const copies = Array.from({ length: 4 }, () => sharing(person));
      await Promise.all(copies.map((copy) => confirm(copy, code)));

      expect(await world.factorsOf(email)).toBe(1);
      // One browser's request won, and only that browser received the session's new cookie.
      const renewed = copies.find((copy) => copy.cookie(SESSION) !== person.cookie(SESSION));
      person.set(SESSION, renewed!.cookie(SESSION)!);
    }
  });

  it('keeps a factor if the authenticator app and the passkey are removed', async () => {
    const { email, person, recoveryCodes } = await world.createEnrolledPerson();
    const elsewhere = await signedInAgain(email);
    await elsewhere.post('/app/second-factor', { code: recoveryCodes[0]! });
    for (let round = 0; round < ROUNDS; round += 1) {
      await world.query('DELETE FROM identity.passkeys');
      await person.enrol();
      const passkey = await withPasskey(email);

      const answers = await Promise.all([
        person.post('/app/account/authenticator/remove'),
        elsewhere.post(`/app/account/passkeys/${passkey}/remove`),
      ]);

      expect([statuses(answers), await world.factorsOf(email)]).toEqual([[303, 409], 1]);
    }
  });
});

describe('A session that enrolls the first factor', () => {
  it('ends if another session enrolls a factor', async () => {
    const { email, person } = await world.createUnenrolledPerson();
    const thief = await signedInAgain(email);
    await thief.readSecret();
    await person.enrol();

    expect((await thief.confirmSecret()).status).toBe(401);
    expect(await world.factorsOf(email)).toBe(1);
    expect((await signedInAgain(email)).cookie(SESSION)).toBeDefined();
  });
});

describe('A secret that is not confirmed yet', () => {
  it('belongs to one session of the person', async () => {
    const { email, person } = await world.createUnenrolledPerson();
    const thief = await signedInAgain(email);
    const [own, theirs] = [await person.readSecret(), await thief.readSecret()];

    expect([theirs === own, await person.readSecret()]).toEqual([false, own]);
    expect((await confirm(person, thief.nextCode())).status).toBe(400);
    expect(showsCodes(await person.confirmSecret())).toBe(true);
    expect(await pendingOf(email)).toEqual([]);
  });

  it('expires after ten minutes', async () => {
    const { person } = await world.createUnenrolledPerson();
    const first = await person.readSecret();
    const code = person.nextCode();
    await world.api.platform.advance(601);

    expect((await confirm(person, code)).status).toBe(400);
    expect(await person.readSecret()).not.toBe(first);
    expect(showsCodes(await person.confirmSecret())).toBe(true);
  });
});

describe('The challenge of a passkey', () => {
  it('expires after ten minutes', async () => {
    const { email, person } = await world.createEnrolledPerson();
    await withPasskey(email);
    const sessions = world.api.app.get(DashboardSessions);
    const challenged = async () => {
      await person.post('/app/second-factor/challenge');
      const [row] = await world.query<{ id: DashboardSessionId }>(
        'SELECT id FROM identity.dashboard_sessions WHERE challenge IS NOT NULL',
      );
      return row!.id;
    };

    const taken = [await sessions.consumeChallenge(await challenged())];
    const session = await challenged();
    await world.api.platform.advance(601);
    taken.push(await sessions.consumeChallenge(session));

    expect(taken).toEqual([expect.any(String), null]);
  });
});

describe('A second factor that is erased in the database', () => {
  it('is reported as missing by the invariants', async () => {
    const { email } = await world.createEnrolledPerson();
    const broken = () => brokenInvariants((text) => world.query(text), MOVED_CLOCK);
    expect(await broken()).toEqual([]);

    await world.api.platform.database
      .run(async () => {
        await world.query(
          'DELETE FROM identity.authenticators WHERE collaborator_id = (SELECT id FROM identity.collaborators WHERE email = $1)',
          [email],
        );
        expect((await broken()).map(({ name }) => name)).toEqual(['collaborators-keep-a-factor']);
        throw new Error('undo');
      })
      .catch((error: Error) => expect(error.message).toBe('undo'));
  });
});
