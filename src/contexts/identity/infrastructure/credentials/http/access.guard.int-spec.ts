import { createHmac, generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { connectionPoolOf } from '#shared/platform/database/data-source.js';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import {
  authenticationHeaders,
  IdentityApi,
  type TestCredential,
} from '#contexts/identity/testing/identity-api.js';

let api: IdentityApi;
let organizationId: TestCredential['credential']['organizationId'];
let accountId: NonNullable<TestCredential['credential']['accountId']>;

beforeAll(async () => {
  api = await IdentityApi.start();
  const { organization, account } = await api.createOrganization();
  organizationId = organization.id;
  accountId = account.id;
});
afterAll(() => api.close());

const codeOf = async (method: string, path: string, headers: Record<string, string>) =>
  (await api.call(method, path, headers)).body.code ?? 'success';

/** Counts SQL statements at the connection pool, so that no statement is missed. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(connectionPoolOf(api.app.get(DataSource)), 'query');
  await work();
  const count = query.mock.calls.length;
  query.mockRestore();
  return count;
}

describe('An authenticated request', () => {
  it('reports the first check that fails, and is affected immediately by each change of the credential', async () => {
    const change = api.app.get(ChangeCredential);
    const issued = await api.createCredential({
      organizationId,
      accountId,
      roles: ['read'],
      allowedAddresses: ['10.0.0.0/8'],
    });
    const other = await api.createCredential({ organizationId });
    const good = await api.headers(issued, '10.1.2.3');
    const gone = await api.createCredential({ organizationId });
    const goneHeaders = await api.headers(gone);
    const owned = { organizationId, credentialId: issued.credential.id, actor: 'test' };
    const switchTo = (enabled: boolean) => api.app.get(SetCredentialEnabled).set({ ...owned, enabled });
    await api.app.get(DeleteCredential).delete({ ...owned, credentialId: gone.credential.id });
    await switchTo(false);
    const ask = (headers: Record<string, string>) => codeOf('POST', '/probe/organization', headers);
    const wrongKey = { 'x-service-api-key': other.credential.keyId };

    expect(await ask({})).toBe('token_missing');
    expect(await ask(wrongKey)).toBe('token_missing');
    expect(await ask({ authorization: 'Bearer rubbish' })).toBe('api_key_missing');
    expect(await ask({ authorization: 'Bearer rubbish', ...wrongKey })).toBe('token_invalid');
    expect(await ask({ ...goneHeaders, ...wrongKey })).toBe('api_key_mismatch');
    expect(await ask(goneHeaders)).toBe('credentials_invalid');
    expect(await ask(good)).toBe('credential_disabled');
    await switchTo(true);
    expect(await ask(good)).toBe('ip_not_allowed');
    const near = { ...good, 'x-forwarded-for': '10.9.9.9' };
    expect(await ask(near)).toBe('role_required');
    await change.change({ ...owned, roles: ['write'] });
    expect(await ask(near)).toBe('organization_scope_required');
    expect(await codeOf('POST', '/probe/write', near)).toBe('success');
    await change.change({ ...owned, allowedAddresses: [] });
    expect(await codeOf('POST', '/probe/write', good)).toBe('success');
    await api.platform.advance(3600);
    expect(await ask({ ...near, ...wrongKey })).toBe('token_expired');
    await api.platform.advance(-3600);
  });

  it('provides the route with the principal of the credential', async () => {
    const issued = await api.createCredential({ organizationId, accountId, roles: ['read'] });

    const { body } = await api.call('GET', '/probe/read', await api.headers(issued));

    expect(body.data).toEqual({
      credentialId: issued.credential.id,
      keyId: issued.credential.keyId,
      scope: { organizationId, accountId },
      pointOfSaleId: null,
      roles: ['read'],
      address: '127.0.0.1',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('reads the database once, and not at all for a public route or a forged token', async () => {
    const headers = await api.headers(await api.createCredential({ organizationId }));
    const forged = authenticationHeaders('e30.e30.e30', headers['x-service-api-key'] ?? '');

    expect(await statementsOf(() => api.call('POST', '/probe/write', headers))).toBe(1);
    expect(await statementsOf(() => api.call('GET', '/probe/public'))).toBe(0);
    expect(await statementsOf(() => api.call('GET', '/probe/read', forged))).toBe(0);
  });
});

describe('A route', () => {
  it('admits exactly the credentials whose role and scope suffice', async () => {
    const of = async (input: object) => api.headers(await api.createCredential({ organizationId, ...input }));
    const kinds = {
      none: {},
      'account read': await of({ accountId, roles: ['read'] }),
      'account write': await of({ accountId, roles: ['write'] }),
      'organization read': await of({ roles: ['read'] }),
      'organization write': await of({ roles: ['write'] }),
    };
    const reading = ['account read', 'organization read'];
    const writing = ['account write', 'organization write'];
    // Admitted requests name an account that does not exist, so they get 404 instead of 403.
    const admitted: Record<string, string[]> = {
      'GET /probe/public': Object.keys(kinds),
      'GET /probe/read': reading,
      'HEAD /probe/read': reading,
      'POST /probe/write': writing,
      'POST /probe/organization': ['organization write'],
      'GET /probe/pos/x': reading,
      'POST /probe/pos/x': writing,
      'GET /v1/account': reading,
      'PUT /v1/account/x': ['organization write'],
      'DELETE /v1/account/x': ['organization write'],
    };
    for (const [route, expected] of Object.entries(admitted)) {
      const [method, path] = route.split(' ') as [string, string];
      const statuses: [string, number][] = [];
      for (const [kind, headers] of Object.entries(kinds))
        statuses.push([kind, (await fetch(api.url + path, { method, headers })).status]);
      const refused = statuses.filter(([, status]) => [401, 403].includes(status)).map(([kind]) => kind);
      expect([route, refused]).toEqual([
        route,
        Object.keys(kinds).filter((kind) => !expected.includes(kind)),
      ]);
    }
  });
});

const [key, oldKey] = IdentityApi.tokenKeys.map(({ secret }) => secret) as [Buffer, Buffer];
const header = { alg: 'HS256', typ: 'JWT', kid: 'new' };
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

let keyId: string;
let claims: JWTPayload;

beforeAll(async () => {
  const { credential } = await api.createCredential({ organizationId });
  keyId = credential.keyId;
  claims = { iss: 'test-issuer', aud: 'test/development', sub: credential.id, exp: inAnHour };
});
const sign = (payload: JWTPayload, secret: Uint8Array = key, protectedHeader: JWTHeaderParameters = header) =>
  new SignJWT(payload).setProtectedHeader(protectedHeader).sign(secret);
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const codeFor = async (token: string) =>
  (await api.call('GET', '/probe/read', authenticationHeaders(token, keyId))).body.code ?? 'success';

describe('An access token', () => {
  it('is accepted under each key of the ring', async () => {
    expect(await codeFor(await sign(claims))).toBe('success');
    expect(await codeFor(await sign(claims, oldKey, { ...header, kid: 'old' }))).toBe('success');
  });

  const forgeries: [string, () => Promise<string> | string][] = [
    ['no algorithm but our key id', () => `${base64({ ...header, alg: 'none' })}.${base64(claims)}.`],
    [
      'RS256 named, our HMAC inside',
      () => {
        const signed = `${base64({ ...header, alg: 'RS256' })}.${base64(claims)}`;
        return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
      },
    ],
    [
      'a real RS256 signature',
      () =>
        new SignJWT(claims)
          .setProtectedHeader({ ...header, alg: 'RS256' })
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    ['the old key under the new one’s id', () => sign(claims, oldKey)],
    ['a key id of every object', () => sign(claims, key, { ...header, kid: '__proto__' })],
    ['another type', () => sign(claims, key, { ...header, typ: 'at+jwt' })],
    ['another environment', () => sign({ ...claims, aud: 'test/production' })],
    ['no expiry', () => sign({ ...claims, exp: undefined })],
    ['no subject', () => sign({ ...claims, sub: undefined })],
    ['a subject that is no id', () => sign({ ...claims, sub: "' OR true --" })],
    ['a start in the future', () => sign({ ...claims, nbf: inAnHour })],
    [
      'changed claims',
      async () => {
        const [head, , signature] = (await sign(claims)).split('.');
        return `${head}.${base64({ ...claims, exp: inAnHour + 1 })}.${signature}`;
      },
    ],
    [
      'no signature and an unknown key id',
      async () => (await sign(claims, key, { ...header, kid: 'other' })).replace(/[^.]*$/, ''),
    ],
    ['an expiry that is no time', () => sign({ ...claims, exp: 'tomorrow' as unknown as number })],
    ['two tokens in one', async () => `${await sign(claims)},${await sign(claims)}`],
  ];
  it.each(forgeries)('is rejected if it is forged or invalid: %s', async (_what, forge) => {
    expect(await codeFor(await forge())).toBe('token_invalid');
  });
});

describe('A header for authentication', () => {
  it('is rejected if it is sent twice, in one line or in two', async () => {
    const bearer = `Bearer ${await sign(claims)}`;

    expect(await codeOfRaw(['Authorization', bearer, 'X-Service-Api-Key', keyId])).toBe('success');
    expect(
      await codeOfRaw(['authorization', bearer, 'Authorization', bearer, 'x-service-api-key', keyId]),
    ).toBe('token_invalid');
    expect(
      await codeOfRaw(['Authorization', bearer, 'x-service-api-key', keyId, 'X-Service-Api-Key', keyId]),
    ).toBe('api_key_mismatch');
    expect(await codeOfRaw(['Authorization', bearer, 'x-service-api-key', `${keyId}, ${keyId}`])).toBe(
      'api_key_mismatch',
    );
  });

  it.each([
    ['', 'token_missing'],
    ['Basic dXNlcjpwYXNz', 'token_missing'],
    ['Bearer', 'token_invalid'],
    ['Bearer ', 'token_invalid'],
    ['Bearertoken', 'token_missing'],
  ])('is rejected if it holds no bearer token: %j', async (authorization, code) => {
    expect(await codeOfRaw(['Authorization', authorization, 'x-service-api-key', keyId])).toBe(code);
  });

  it('accepts its second name, or another prefix of the key id, but not both names', async () => {
    const bearer = ['Authorization', `Bearer ${await sign(claims)}`];
    const acme = keyId.replace('svc.dev.', 'acme.');

    expect([
      await codeOfRaw([...bearer, 'X-Acme-Key', keyId]),
      await codeOfRaw([...bearer, 'x-service-api-key', acme]),
      await codeOfRaw([...bearer, 'x-acme-key', acme.replace('acme.', 'acme.svc.')]),
      await codeOfRaw([...bearer, 'x-acme-key', keyId, 'x-service-api-key', keyId]),
    ]).toEqual(['success', 'success', 'api_key_mismatch', 'api_key_mismatch']);
  });

  it('accepts the scheme in any case, and the key id only in lower case', async () => {
    const token = await sign(claims);

    expect(await codeOfRaw(['Authorization', `bearer ${token}`, 'x-service-api-key', keyId])).toBe('success');
    expect(
      await codeOfRaw(['Authorization', `Bearer ${token}`, 'x-service-api-key', keyId.toUpperCase()]),
    ).toBe('api_key_mismatch');
    expect(await codeOfRaw(['Authorization', `Bearer ${token}`, 'x-service-api-key', ''])).toBe(
      'api_key_missing',
    );
  });
});

/** Sends header lines exactly as listed. `fetch` would join repeated headers. */
function codeOfRaw(headers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = new URL('/probe/read', api.url);
    const sent = request(url, { headers: ['Host', url.host, ...headers] as never }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve((JSON.parse(text) as { code?: string }).code ?? 'success'));
    });
    sent.on('error', reject).end();
  });
}
