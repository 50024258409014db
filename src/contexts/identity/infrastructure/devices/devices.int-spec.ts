import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import {
  newId,
  type CollaboratorId,
  type CredentialId,
  type OrganizationId,
  type PointOfSaleId,
} from '#shared/kernel/ids.js';
import { ChangeCollaborator } from '#contexts/identity/application/people/change-collaborator.js';
import { DeleteMerchantAccount } from '#contexts/identity/application/accounts/delete-merchant-account.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import {
  PointOfSaleDevices,
  type PointOfSaleReference,
} from '#contexts/identity/contract/point-of-sale-devices.js';
import { Pairings } from '../persistence/pairings.js';
import { Credentials } from '../credentials/persistence/credentials.js';
import {
  MAX_DEVICES_PER_POINT_OF_SALE,
  PAIRING_CODE_VALID_MINUTES,
} from '#contexts/identity/application/devices/pairing-code.js';
import {
  auditInvariants,
  deviceInvariants,
  identityInvariants,
} from '#contexts/identity/infrastructure/persistence/identity-invariants.js';
import { authenticationHeaders } from '#contexts/identity/testing/identity-api.js';
import { PeopleWorld } from '#contexts/identity/testing/people-world.js';

const TRIES = 4;
const CREATIONS = 3;
const BY = { actor: 'test' };

let world: PeopleWorld;
let devices: PointOfSaleDevices;
let callers = 0;
let admin: CollaboratorId;
beforeAll(async () => {
  world = await PeopleWorld.start({ failuresPerMinute: TRIES, deviceCreationsPerMinute: CREATIONS });
  devices = world.api.app.get(PointOfSaleDevices);
  admin = await person('admin');
});
afterAll(() => world.close());

const newPoint = (accountId = world.accountId): PointOfSaleReference => ({
  id: newId<PointOfSaleId>(),
  organizationId: world.organizationId,
  accountId,
});

async function person(role: CollaboratorRole): Promise<CollaboratorId> {
  const { email } = await world.createUnenrolledPerson(role);
  const [row] = await world.query<{ id: CollaboratorId }>(
    'SELECT id FROM identity.collaborators WHERE email = $1',
    [email],
  );
  return row!.id;
}

/** Each call uses its own IP address, so that attempts of one test do not count in another. */
async function pair(code: string, from = `192.0.2.${(callers += 1)}`) {
  const body = { code, device_name: 'Phone at the bar' };
  const answer = await world.api.call('POST', '/public/till/pairing', { 'x-forwarded-for': from }, body);
  return { ...answer, code: answer.body.code ?? answer.status };
}

const offer = async (point = newPoint(), by = admin) =>
  (await devices.createPairingCode(point, 'Till 1', by)).code;

async function paired(point: PointOfSaleReference, by: CollaboratorId) {
  const code = await offer(point, by);
  const { api_key, api_secret } = (await pair(code)).body.data as unknown as {
    api_key: string;
    api_secret: string;
  };
  const { body } = await world.api.exchange(api_key, api_secret);
  return {
    id: api_key.slice(-36) as CredentialId,
    secret: api_secret,
    headers: authenticationHeaders(body.data.token, api_key),
  };
}

const changeRole = (collaboratorId: CollaboratorId, change: object) =>
  world.api.app.get(ChangeCollaborator).change({
    ...{ organizationId: world.organizationId, collaboratorId, managerRole: 'owner', ...BY, ...change },
  });
async function ask(method: string, path: string, headers: Record<string, string>) {
  const { status, body } = await world.api.call(method, path, headers);
  return body.code ?? status;
}

describe('The pairing of a device', () => {
  it('binds it to the point of sale of the code', async () => {
    const point = newPoint();
    const code = await offer(point);

    const { body } = await pair(code.toLowerCase());

    expect(body.data).toEqual({
      api_key: expect.stringMatching(/^svc\.dev\./),
      api_secret: expect.stringMatching(/^[\w-]{43}$/),
      point_of_sale_id: point.id,
    });
    expect(await devices.list(point)).toMatchObject([{ name: 'Phone at the bar', pairedBy: 'Anna Test' }]);
    expect(await devices.list(newPoint())).toEqual([]);
    const second = await paired(point, admin);
    expect((await devices.list(point)).map(({ id }) => id).indexOf(second.id)).toBe(1);
    const { organization } = await world.api.createOrganization();
    const pairedIn = (of: OrganizationId) => world.api.app.get(Pairings).devicesPairedBy(of, [admin]);
    expect(await pairedIn(organization.id)).toEqual([]);
    const places = (await pairedIn(world.organizationId)).map(({ pointOfSaleId }) => pointOfSaleId);
    expect(places.filter((id) => id === point.id)).toHaveLength(2);
  });

  it('uses up the code, unlike requests for the names of the point of sale and the account', async () => {
    const point = newPoint();
    const code = await offer(point);
    const subject = async (of: string, from: string) => {
      const { body } = await world.api.call(
        'POST',
        '/public/till/pairing/subject',
        { 'x-forwarded-for': from },
        { code: of },
      );
      return body.data ?? body.code;
    };

    for (let n = 0; n <= TRIES; n += 1)
      expect(await subject(code, '192.0.2.201')).toEqual({
        point_of_sale_id: point.id,
        point_of_sale_name: 'Till 1',
        account_name: expect.any(String),
        organization_name: expect.any(String),
      });
    expect((await pair(code)).code).toBe(200);
    expect(await subject(code, '192.0.2.202')).toBe('pairing_code_invalid');
    for (let n = 0; n < TRIES; n += 1) await subject('UNKNOWN2', '192.0.2.203');
    expect(await subject('UNKNOWN2', '192.0.2.203')).toBe('rate_limited');
  });

  it('succeeds once, also for concurrent requests', async () => {
    const code = await offer();

    const racing = await Promise.all([pair(code), pair(code), pair(code)]);
    const later = await pair(code);

    expect(racing.map((one) => one.code).sort()).toEqual([
      200,
      'pairing_code_invalid',
      'pairing_code_invalid',
    ]);
    expect([later.status, later.code]).toEqual([404, 'pairing_code_invalid']);
  });

  it('is rejected ten minutes after the code was created, by the database clock', async () => {
    const [first, second] = [await offer(), await offer()];

    await world.api.platform.advance(PAIRING_CODE_VALID_MINUTES * 60 - 5);
    expect((await pair(first)).code).toBe(200);
    await world.api.platform.advance(5);
    expect((await pair(second)).code).toBe('pairing_code_invalid');
  });

  it('counts concurrent failures of an address exactly, and accepts the right code beyond the limit', async () => {
    const from = '198.51.100.7';
    const code = await offer();
    expect((await pair(code, from)).code).toBe(200);
    const next = await offer();

    const guesses = await Promise.all(Array.from({ length: TRIES + 3 }, () => pair('AAAA2222', from)));
    const [right, wrong] = [await pair(next, from), await pair(next, from)];

    expect(guesses.filter((one) => one.code === 'pairing_code_invalid')).toHaveLength(TRIES);
    expect(guesses.filter((one) => one.code === 'rate_limited')).toHaveLength(3);
    expect([right.code, wrong.code]).toEqual([200, 'rate_limited']);
  });

  it('is limited for each point of sale to a number of devices, which includes pairing codes that are still valid', async () => {
    const point = newPoint();
    await paired(point, admin);
    await world.query(
      `INSERT INTO identity.pairing_codes (code_digest, organization_id, account_id, point_of_sale_id, offered_by, expires_at)
       SELECT sha256(number::text::bytea), $1, $2, $3, $4, platform.now() + make_interval(mins => number - 1)
       FROM generate_series(1, $5::int) number`,
      [point.organizationId, point.accountId, point.id, admin, MAX_DEVICES_PER_POINT_OF_SALE - 1],
    );

    const last = await offer(point);
    const refused = () => expect(offer(point)).rejects.toMatchObject({ code: 'state_conflict' });
    await refused();
    expect((await pair(last)).code).toBe(200);
    await refused();
    await offer();
  });

  it('ends when the account is deleted', async () => {
    const account = await world.api.app
      .get(CreateMerchantAccount)
      .create({ organizationId: world.organizationId, name: 'Spare', ...BY });
    const point = newPoint(account.id);
    const { headers } = await paired(point, admin);
    const code = await offer(point);

    await world.api.app.get(DeleteMerchantAccount).delete({
      scope: { organizationId: world.organizationId, accountId: null },
      account: account.id,
      ...BY,
    });

    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe('credentials_invalid');
    expect((await pair(code)).code).toBe('pairing_code_invalid');
  });
});

describe('A device', () => {
  it('accesses only routes for devices, at its own point of sale, with the fields of a sale', async () => {
    const point = newPoint();
    const { headers } = await paired(point, admin);

    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe(200);
    expect(await ask('GET', `/probe/pos/${point.id.toUpperCase()}`, headers)).toBe(200);
    expect(await ask('GET', '/probe/common', headers)).toBe(200);
    for (const other of [newPoint().id, 'undefined', 'null'])
      expect([other, await ask('GET', `/probe/pos/${other}`, headers)]).toEqual([
        other,
        'device_not_allowed',
      ]);
    expect(await ask('GET', '/probe/read', headers)).toBe('device_not_allowed');
    expect(await ask('POST', '/probe/write', headers)).toBe('device_not_allowed');
    expect(await ask('GET', '/v1/account', headers)).toBe('device_not_allowed');
    expect(await ask('POST', '/probe/organization', headers)).toBe('organization_scope_required');

    const send = async (body: object) => {
      const answer = await world.api.call('POST', `/probe/pos/${point.id}`, headers, body);
      const errors = (answer.body.errors ?? []) as { field: string }[];
      return [answer.body.code ?? answer.status, ...errors.map(({ field }) => field)];
    };

    expect(await send({ amount: '1', order: { items: [{ amount: '1' }] } })).toEqual([200]);
    expect(await send({ amount: '1', return_url: 'https://x.example' })).toEqual([
      'unknown_field',
      'return_url',
    ]);
    expect(await send({ order: { merchant: { name: 'Eve' } } })).toEqual(['unknown_field', 'order.merchant']);
  });

  it('is limited in the number of creations a minute, but not in reads', async () => {
    const point = newPoint();
    const { headers } = await paired(point, admin);
    const other = newPoint();
    const second = await paired(other, admin);
    const create = () => ask('POST', `/probe/pos/${point.id}`, headers);

    const created = [];
    for (let n = 0; n < CREATIONS + 2; n += 1) created.push(await create());

    expect(created).toEqual([...Array<number>(CREATIONS).fill(200), 'rate_limited', 'rate_limited']);
    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe(200);
    expect(await ask('POST', `/probe/pos/${other.id}`, second.headers)).toBe(200);
  });

  it('is rejected from the first request after the revocation, even with its secret', async () => {
    const point = newPoint();
    const { id, headers, secret } = await paired(point, admin);
    await expect(devices.revoke(newPoint(), id, BY)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe(200);

    await devices.revoke(point, id, BY);

    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe('credentials_invalid');
    expect((await world.api.exchange(`svc.dev.${id}`, secret)).body.code).toBe('credentials_invalid');
    expect(await devices.list(point)).toEqual([]);
  });

  it('is absent from the list of API keys', async () => {
    const { id } = await paired(newPoint(), admin);
    const credentials = world.api.app.get(Credentials);

    const { items } = await credentials.list(world.organizationId, { page: 1, pageSize: 100 });
    expect(items.filter((one) => one.id === id)).toEqual([]);
    await expect(credentials.read(world.organizationId, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(credentials.find(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('The set of invariants of devices', () => {
  it.each([
    [
      'a device becomes an API key',
      'SET point_of_sale_id = NULL, paired_by = NULL, paired_as = NULL',
      ['credentials-are-as-audited'],
    ],
    [
      'a device moves to another point of sale',
      'SET point_of_sale_id = gen_random_uuid()',
      ['credentials-are-as-audited'],
    ],
    [
      'a device outlives the role of its Cashier',
      `SET paired_as = 'cashier'`,
      ['credentials-are-as-audited', 'device-is-of-its-cashier'],
    ],
  ])('detects a change of rows: %s', async (_, change, noticed) => {
    const { id } = await paired(newPoint(), await person('admin'));
    const breached = async () => {
      const names: string[] = [];
      for (const { name, breaches } of [...identityInvariants, ...auditInvariants, ...deviceInvariants])
        if ((await world.query(breaches)).length > 0) names.push(name);
      return names.sort();
    };
    expect(await breached()).toEqual([]);
    let found: string[] = [];
    const tamper = world.api.platform.database.run(async () => {
      await world.query(`UPDATE identity.credentials ${change} WHERE id = $1`, [id]);
      found = await breached();
      throw new Error('undone');
    });
    await expect(tamper).rejects.toThrow('undone');
    expect(found).toEqual(noticed);
  });
});

describe('The removal of the right to pair devices', () => {
  it.each([
    [{ enabled: false }, 'revoke', 'credentials_invalid'],
    [{ enabled: false }, 'keep', 200],
    [{ role: 'viewer' }, 'revoke', 'credentials_invalid'],
  ])(
    'keeps or revokes the devices of the person, as the manager chooses: change %j, choice %s',
    async (change, choice, expected) => {
      const admin = await person('admin');
      const point = newPoint();
      const [own, others] = [await paired(point, admin), await paired(point, await person('admin'))];
      const execute = (choice_?: string) => changeRole(admin, { ...change, devices: choice_ });
      await expect(execute()).rejects.toMatchObject({ errors: [{ field: 'devices' }] });
      expect(await ask('GET', `/probe/pos/${point.id}`, own.headers)).toBe(200);
      await execute(choice);

      expect(await ask('GET', `/probe/pos/${point.id}`, own.headers)).toBe(expected);
      expect(await ask('GET', `/probe/pos/${point.id}`, others.headers)).toBe(200);
    },
  );
});

describe('A pairing code', () => {
  it('expires when its creator gets another role, even one that may pair devices', async () => {
    const admin = await person('admin');
    const [kept, code] = [await offer(newPoint(), admin), await offer(newPoint(), admin)];

    await changeRole(admin, { role: 'admin' });
    expect((await pair(kept)).code).toBe(200);
    await changeRole(admin, { role: 'owner' });

    expect((await pair(code)).code).toBe('pairing_code_invalid');
  });
});

describe('A Cashier', () => {
  it.each([
    ['is disabled', { enabled: false }],
    ['gets another role', { role: 'viewer' }],
  ])('loses all devices and pairing codes, unlike other Cashiers, if this Cashier %s', async (_, change) => {
    const [cashier, colleague] = [await person('cashier'), await person('cashier')];
    const point = newPoint();
    const [own, others] = [await paired(point, cashier), await paired(point, colleague)];
    const code = await offer(point, cashier);
    await changeRole(cashier, change);
    // The guard admitted the person before the change.
    const late = await offer(point, cashier);

    expect((await pair(late)).code).toBe('pairing_code_invalid');
    expect(await ask('GET', `/probe/pos/${point.id}`, own.headers)).toBe('credentials_invalid');
    expect(await ask('GET', `/probe/pos/${point.id}`, others.headers)).toBe(200);
    expect((await pair(code)).code).toBe('pairing_code_invalid');
  });

  it('keeps a device that was paired in an earlier role', async () => {
    const person_ = await person('admin');
    const point = newPoint();
    const { headers } = await paired(point, person_);
    await changeRole(person_, { role: 'cashier', devices: 'keep' });
    await changeRole(person_, { enabled: false, devices: 'keep' });

    expect(await ask('GET', `/probe/pos/${point.id}`, headers)).toBe(200);
  });
});
