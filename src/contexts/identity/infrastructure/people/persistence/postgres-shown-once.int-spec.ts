import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type SessionId } from '#shared/kernel/ids.js';
import { PeopleWorld } from '#contexts/identity/testing/people-world.js';
import { PostgresShownOnce } from './postgres-shown-once.js';

const PAGE = '/app/api-keys/1/secret';
const SECRET = 'a secret of the merchant';

let world: PeopleWorld;
let session: SessionId;
let replicas: [PostgresShownOnce, PostgresShownOnce];
beforeAll(async () => {
  world = await PeopleWorld.start();
  await world.owner();
  session = (await world.query<{ id: SessionId }>('SELECT id FROM identity.dashboard_sessions'))[0]!.id;
  const { database } = world.api.platform;
  replicas = [new PostgresShownOnce(database), new PostgresShownOnce(database)];
});
afterAll(() => world.close());

describe('A secret that a page displays once', () => {
  it('is returned once for concurrent requests on two replicas', async () => {
    const [one, other] = replicas;
    const token = await one.keep(session, PAGE, SECRET);

    const taken = await Promise.all(
      [one, other, one, other].map((replica) => replica.take(session, PAGE, token)),
    );

    expect(taken.filter((secret) => secret !== null)).toEqual([SECRET]);
    expect(await other.take(session, PAGE, token)).toBeNull();
  });

  it('requires its session, page and cookie, and expires after five minutes', async () => {
    const [store] = replicas;
    const token = await store.keep(session, PAGE, SECRET);

    for (const [by, page, cookie] of [
      [newId<SessionId>(), PAGE, token],
      [session, '/app/api-keys/2/secret', token],
      [session, PAGE, undefined],
      [session, PAGE, 'x'],
      [session, PAGE, Buffer.alloc(32).toString('base64url')],
    ] as const)
      expect(await store.take(by, page, cookie)).toBeNull();
    await world.api.platform.advance(301);
    expect(await store.take(session, PAGE, token)).toBeNull();
  });

  it('is unreadable in the database', async () => {
    const [store] = replicas;
    const token = await store.keep(session, PAGE, SECRET);

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
