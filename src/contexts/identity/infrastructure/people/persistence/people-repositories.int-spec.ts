import { type DashboardSessionId } from '#shared/kernel/ids.js';
import { PostgresOneTimeSecretStore } from './postgres-one-time-secret-store.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { newId, type CollaboratorId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { callerAddressRanges } from '#shared/platform/http/callers/caller-address-resolver.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { KnownSignInBrowsers } from './known-sign-in-browsers.js';
import { SESSION_IDLE_MINUTES } from '#contexts/identity/application/people/dashboard-sessions.js';
import { ResetPassword } from '#contexts/identity/application/people/reset-password.js';
import { CompleteSignIn } from '#contexts/identity/application/people/complete-sign-in.js';
import { SecondFactors } from './second-factors.js';
import { Collaborators } from './collaborators.js';
import { LockOuts } from './lock-outs.js';
import { PERSON_CODE_RATE_LIMIT, IP_ADDRESS_BACK_OFF } from '#contexts/identity/domain/people/lock-out.js';
import { PASSWORD, PeopleWorld } from '#contexts/identity/testing/people-world.js';

const VISIT = { address: '203.0.113.9', userAgent: 'test' };

let world: PeopleWorld;
let person: CollaboratorId;
beforeAll(async () => void (world = await PeopleWorld.start()));
afterAll(() => world.close());
beforeEach(async () => void (person = (await newcomer()).id));

async function newcomer(...of: Parameters<PeopleWorld['createUnenrolledPerson']>) {
  const { email } = await world.createUnenrolledPerson(of[0] ?? 'viewer', of[1]);
  return (await world.api.app.get(Collaborators).findByEmail(email))!.collaborator;
}

describe('The store of sessions', () => {
  const begin = (digest = randomBytes(32)) =>
    world.api.app.get(DashboardSessions).begin(person, 'signed_in', digest, VISIT);

  it('lists the session that was used last first', async () => {
    const sessions = world.api.app.get(DashboardSessions);
    const [older, newer] = [await begin(), await begin()];
    await world.api.platform.advance(60);
    await sessions.recordUse(older);

    expect((await sessions.list(person)).map(({ id }) => id)).toEqual([older, newer]);
  });

  it('keeps the end of a session when the second factor is proven again', async () => {
    const session = await begin();
    const end = () =>
      world.query('SELECT expires_at FROM identity.dashboard_sessions WHERE id = $1', [session]);
    const before = await end();

    await world.api.app.get(DashboardSessions).renewAfterSecondFactor(session, 'signed_in', randomBytes(32));

    expect(await end()).toEqual(before);
  });

  it('remembers no device for a sign-in whose session has ended', async () => {
    const session = await begin();
    await world.api.platform.advance(SESSION_IDLE_MINUTES * 60);

    await expect(world.api.app.get(CompleteSignIn).complete(person, session)).rejects.toThrow(
      'Your session has ended.',
    );

    const known = 'SELECT FROM identity.known_devices WHERE collaborator_id = $1';
    expect(await world.query(known, [person])).toEqual([]);
  });
});

describe('A known device', () => {
  it('is known only for its own person, and only until the person is disabled', async () => {
    const devices = world.api.app.get(KnownSignInBrowsers);
    const [token, other] = [randomBytes(32), await newcomer()];
    await devices.remember(person, token);
    const isKnown = async () => [
      await devices.isKnown(person, token),
      await devices.isKnown(other.id, token),
    ];
    const before = await isKnown();

    await world.api.app.get(ChangeCollaborator).change({
      ...{ organizationId: world.organizationId, collaboratorId: person, enabled: false },
      ...{ managerRole: 'operator', actor: 'test' },
    });

    expect([before, await isKnown()]).toEqual([
      [true, false],
      [false, false],
    ]);
  });
});

describe('A password', () => {
  it('makes all devices unknown when it is reset, except the device of the reset', async () => {
    const devices = world.api.app.get(KnownSignInBrowsers);
    const [here, elsewhere] = [randomBytes(32), randomBytes(32)];
    for (const token of [here, elsewhere]) await devices.remember(person, token);
    const { email } = (
      await world.query<{ email: string }>('SELECT email FROM identity.collaborators WHERE id = $1', [person])
    )[0]!;
    const reset = world.api.app.get(ResetPassword);
    await reset.sendResetLink(email);
    const token = (await world.resetLinks(email))[0]!.split('/').at(-1)!;

    await reset.resetPassword(token, 'lantern harbour kettle nine', VISIT.address, here);

    const known = [here, elsewhere].map((each) => devices.isKnown(person, each));
    expect(await Promise.all(known)).toEqual([true, false]);
  });

  it('resets the limit of guesses when it is changed', async () => {
    const { person: owner } = await world.createEnrolledPerson();
    const change = async (current: string) =>
      (
        await owner.post('/app/account/password', {
          current_password: current,
          password: 'lantern harbour kettle nine',
        })
      ).status;
    const wrong = async () => [await change('a'), await change('b'), await change('c'), await change('d')];

    expect(await wrong()).toEqual([400, 400, 400, 400]);
    expect(await change(PASSWORD)).toBe(303);
    expect(await wrong()).toEqual([400, 400, 400, 400]);
  });

  it('is not counted against the address if it is correct', async () => {
    const { email } = await world.createEnrolledPerson();
    const address = '198.51.100.77';
    const caller = callerAddressRanges(address);
    const lockOuts = world.api.app.get(LockOuts);
    for (let n = 0; n < IP_ADDRESS_BACK_OFF.free - 1; n += 1)
      await lockOuts.countCallerGuess(caller, 'address');
    const signIn = async () =>
      (
        await world
          .openBrowser()
          .post(
            '/app/sign-in',
            { email, password: PASSWORD },
            { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
          )
      ).status;

    expect([await signIn(), await signIn()]).toEqual([303, 303]);
  });
});

describe('The limit of guesses', () => {
  const isRefused = (guess: Promise<void>) =>
    guess.then(
      () => false,
      (error: unknown) => {
        if (error instanceof RateLimited) return true;
        throw error;
      },
    );

  it('returns only one guess to the address after a correct password', async () => {
    const lockOuts = world.api.app.get(LockOuts);
    const caller = [{ name: newId<string>(), share: 1 }] as const;
    for (let n = 0; n < IP_ADDRESS_BACK_OFF.free - 1; n += 1) await lockOuts.countCallerGuess(caller, 'test');
    await lockOuts.uncountCallerGuess(caller, 'test');

    await lockOuts.countCallerGuess(caller, 'test');
    await lockOuts.countCallerGuess(caller, 'test');

    expect(await isRefused(lockOuts.countCallerGuess(caller, 'test'))).toBe(true);
  });

  it('does not accumulate allowed codes during a long pause', async () => {
    const lockOuts = world.api.app.get(LockOuts);
    const code = { parts: ['test', person], allowance: PERSON_CODE_RATE_LIMIT };
    await lockOuts.countSecondFactorAttempt(code);
    await world.api.platform.advance(100 * PERSON_CODE_RATE_LIMIT.everySeconds);

    for (let n = 0; n < PERSON_CODE_RATE_LIMIT.atOnce; n += 1) await lockOuts.countSecondFactorAttempt(code);

    expect(await isRefused(lockOuts.countSecondFactorAttempt(code))).toBe(true);
  });
});

describe('A second factor', () => {
  it('is rejected with a used or an earlier code, with a counter that did not grow, or for another person', async () => {
    const factors = world.api.app.get(SecondFactors);
    const { id: sessionId } = (
      await world.query<{ id: never }>(
        'SELECT id FROM identity.dashboard_sessions WHERE collaborator_id = $1',
        [person],
      )
    )[0]!;
    await factors.findOrCreatePendingSecret(sessionId);
    const passkey = { credentialId: 'AAAA', publicKey: Buffer.alloc(1), signCount: 5, transports: [] };
    const added = { ...passkey, id: newId<string>(), name: 'Key', createdAt: new Date() };
    await world.api.app.get(UnitOfWork).run(async () => {
      await factors.confirmAuthenticator(person, sessionId, 100, new Date());
      await factors.addPasskey(person, added);
    });

    const again = { ...added, id: newId<string>(), name: 'Copy' };
    const { id: other } = await newcomer();
    await expect(
      world.api.app.get(UnitOfWork).run(() => factors.addPasskey(other, again)),
    ).rejects.toMatchObject({
      ...{ code: 'validation_failed', errors: [{ field: 'answer' }] },
    });
    const steps = [101, 101, 100, 102].map((step) => () => factors.acceptStep(person, step));
    const counts = [5, 6, 6, 0].map((count) => () => factors.recordPasskeyUse(person, 'AAAA', count));
    const answers: boolean[] = [];
    for (const use of [...steps, ...counts]) answers.push(await use());

    expect(answers).toEqual([true, false, false, true, false, true, false, false]);
    const code = randomBytes(32);
    await world.api.app.get(UnitOfWork).run(async () => {
      await factors.replaceRecoveryCodes(person, [code]);
      expect(await factors.removePasskey(other, added.id)).toBeNull();
      expect(await factors.removePasskey(person, added.id)).toBe('Key');
    });
    for (const [of, digest] of [
      [other, code],
      [person, randomBytes(32)],
    ] as const)
      expect(await factors.useRecoveryCode(of, digest)).toBe(false);
    expect([await factors.useRecoveryCode(person, code), await factors.acceptStep(other, 200)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('The last Owner', () => {
  it('does not count Owners who are disabled', async () => {
    const collaborators = world.api.app.get(Collaborators);
    const { id: organizationId } = (await world.api.createOrganization('Others')).organization;
    const owner = () => newcomer('owner', organizationId);
    const [kept, disabled] = [await owner(), await owner()];
    const change = world.api.app.get(ChangeCollaborator);
    const disable = { enabled: false, managerRole: 'operator', actor: 'test' } as const;

    await change.change({ organizationId, collaboratorId: disabled.id, ...disable });

    expect(await collaborators.countOtherOwners(organizationId, kept.id)).toBe(0);
    const { items, total } = await collaborators.list(organizationId, { page: 1, pageSize: 10 });
    expect([total, ...items.map(({ id }) => id)]).toEqual([2, kept.id, disabled.id]);
  });
});

describe('A secret that a page displays once', () => {
  const PAGE = '/app/api-keys/1/secret';
  const SECRET = 'a secret of the merchant';
  let session: DashboardSessionId;
  let replicas: [PostgresOneTimeSecretStore, PostgresOneTimeSecretStore];
  beforeEach(async () => {
    session = await world.api.app.get(DashboardSessions).begin(person, 'signed_in', randomBytes(32), VISIT);
    const { database } = world.api.platform;
    replicas = [new PostgresOneTimeSecretStore(database), new PostgresOneTimeSecretStore(database)];
  });

  it('is returned once for concurrent requests on two replicas', async () => {
    const [one, other] = replicas;
    const token = await one.storeSecret(session, PAGE, SECRET);

    const taken = await Promise.all(
      [one, other, one, other].map((replica) => replica.consumeSecret(session, PAGE, token)),
    );

    expect(taken.filter((secret) => secret !== null)).toEqual([SECRET]);
    expect(await other.consumeSecret(session, PAGE, token)).toBeNull();
  });

  it('requires its session, page and cookie, and expires after five minutes', async () => {
    const [store] = replicas;
    const token = await store.storeSecret(session, PAGE, SECRET);

    for (const [by, page, cookie] of [
      [newId<DashboardSessionId>(), PAGE, token],
      [session, '/app/api-keys/2/secret', token],
      [session, PAGE, undefined],
      [session, PAGE, 'x'],
      [session, PAGE, Buffer.alloc(32).toString('base64url')],
    ] as const)
      expect(await store.consumeSecret(by, page, cookie)).toBeNull();
    await world.api.platform.advance(301);
    expect(await store.consumeSecret(session, PAGE, token)).toBeNull();
  });

  it('is unreadable in the database', async () => {
    const [store] = replicas;
    const token = await store.storeSecret(session, PAGE, SECRET);

    const [row] = await world.query<{ stored: string }>(
      'SELECT row_to_json(s)::text AS stored FROM identity.shown_once s WHERE page = $1 ORDER BY expires_at DESC',
      [PAGE],
    );

    for (const hidden of [
      SECRET,
      Buffer.from(SECRET).toString('hex'),
      token,
      Buffer.from(token, 'base64url').toString('hex'),
    ])
      expect(row!.stored).not.toContain(hidden);
  });
});
