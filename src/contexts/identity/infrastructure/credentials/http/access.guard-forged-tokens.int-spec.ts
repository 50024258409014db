import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { authentication, IdentityApi } from '#contexts/identity/testing/identity-api.js';

const [key, oldKey] = IdentityApi.tokenKeys.map(({ secret }) => secret) as [Buffer, Buffer];
const header = { alg: 'HS256', typ: 'JWT', kid: 'new' };
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

let api: IdentityApi;
let keyId: string;
let claims: JWTPayload;

beforeAll(async () => {
  api = await IdentityApi.start();
  const { organization } = await api.organization();
  const { credential } = await api.credential({ organizationId: organization.id });
  keyId = credential.keyId;
  claims = { iss: 'test-issuer', aud: 'test/development', sub: credential.id, exp: inAnHour };
});
afterAll(() => api.close());

const sign = (payload: JWTPayload, secret: Uint8Array = key, protectedHeader: JWTHeaderParameters = header) =>
  new SignJWT(payload).setProtectedHeader(protectedHeader).sign(secret);
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const codeFor = async (token: string) =>
  (await api.call('GET', '/probe/read', authentication(token, keyId))).body.code ?? 'success';

describe('An access token', () => {
  it('is accepted under any key of the ring, so that keys rotate', async () => {
    expect(await codeFor(await sign(claims))).toBe('success');
    expect(await codeFor(await sign(claims, oldKey, { ...header, kid: 'old' }))).toBe('success');
  });

  const forgeries: [string, () => Promise<string> | string][] = [
    ['no algorithm', () => new UnsecuredJWT(claims).encode()],
    ['no algorithm but our key id', () => `${base64({ ...header, alg: 'none' })}.${base64(claims)}.`],
    [
      'another HMAC under our key',
      () => sign(claims, Buffer.concat([key, key]), { ...header, alg: 'HS512' }),
    ],
    [
      'HS512 with the very key',
      () => {
        const signed = `${base64({ ...header, alg: 'HS512' })}.${base64(claims)}`;
        return `${signed}.${createHmac('sha512', key).update(signed).digest('base64url')}`;
      },
    ],
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
    ['somebody else’s key', () => sign(claims, randomBytes(32))],
    ['the old key under the new one’s id', () => sign(claims, oldKey)],
    ['an unknown key id', () => sign(claims, key, { ...header, kid: 'other' })],
    ['a key id of every object', () => sign(claims, key, { ...header, kid: '__proto__' })],
    ['no key id', () => sign(claims, key, { alg: 'HS256', typ: 'JWT' })],
    ['another type', () => sign(claims, key, { ...header, typ: 'at+jwt' })],
    ['another issuer', () => sign({ ...claims, iss: 'somebody' })],
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
      'a changed signature',
      async () => {
        const token = await sign(claims);
        const last = token.length - 10;
        return token.slice(0, last) + (token[last] === 'A' ? 'B' : 'A') + token.slice(last + 1);
      },
    ],
    ['no signature', async () => (await sign(claims)).replace(/[^.]*$/, '')],
    [
      'no signature and an unknown key id',
      async () => (await sign(claims, key, { ...header, kid: 'other' })).replace(/[^.]*$/, ''),
    ],
    ['an expiry that is no time', () => sign({ ...claims, exp: 'tomorrow' as unknown as number })],
    ['claims that are no object', () => `${base64(header)}.${Buffer.from('5').toString('base64url')}.AAAA`],
    ['five parts', () => 'a.b.c.d.e'],
    ['rubbish', () => 'rubbish'],
    ['two tokens in one', async () => `${await sign(claims)},${await sign(claims)}`],
    ['two words', async () => `${await sign(claims)} x`],
  ];
  it.each(forgeries)('with %s is not valid', async (_what, forge) => {
    expect(await codeFor(await forge())).toBe('token_invalid');
  });
});

describe('The two headers', () => {
  it('are refused when they come twice, in one line or in two', async () => {
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
  ])('need a bearer token, not %j', async (authorization, code) => {
    expect(await codeOfRaw(['Authorization', authorization, 'x-service-api-key', keyId])).toBe(code);
  });

  it('spell the scheme in any case and the key id in one', async () => {
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

/** Sends header lines exactly as listed, which fetch would join. */
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
