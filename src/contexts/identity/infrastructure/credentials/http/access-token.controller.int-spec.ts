import { Database } from '#shared/platform/database/database.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ChangeBranding } from '#contexts/identity/application/change-branding.js';
import { OrganizationApproval } from '#contexts/identity/contract/organization-approval.js';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { Credentials } from '../persistence/credentials.js';
import { type ApiAnswer, type TestCredential, IdentityApi } from '#contexts/identity/testing/identity-api.js';
import { CredentialLookup } from '../persistence/credential-lookup.js';

let api: IdentityApi;
let organizationId: TestCredential['credential']['organizationId'];

beforeAll(async () => {
  api = await IdentityApi.start();
  organizationId = (await api.createOrganization()).organization.id;
});
afterAll(() => api.close());

const withoutRequestId = ({ status, body: { request_id: _, ...body } }: ApiAnswer) => ({ status, body });

describe('The exchange of a credential', () => {
  it('returns a bearer token for one hour by the clock of the database', async () => {
    await api.platform.advance(86_400);
    const { credential, secret } = await api.createCredential({ organizationId });
    const now = Math.floor((await api.platform.clock.now()).getTime() / 1000);

    const { status, body } = await api.exchange(credential.keyId, secret);

    const { token, token_type, expired_at, ...rest } = body.data;
    expect([status, token_type, rest]).toEqual([200, 'Bearer', {}]);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'new' });
    const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ iss: 'test-issuer', aud: 'test/development', sub: credential.id });
    expect(exp - iat).toBe(3600);
    expect(iat).toBeGreaterThanOrEqual(now);
    expect(iat * 1_000).toBeLessThanOrEqual((await api.platform.clock.now()).getTime());
    expect(expired_at).toBe(new Date(exp * 1000).toISOString());
    expect(credential.keyId).toBe(`svc.dev.${credential.id}`);
    expect(credential.id).toMatch(/^.{14}8.{19}30$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('keeps tokens valid during a key rotation, until their key ends or is removed', async () => {
    const { credential, secret } = await api.createCredential({ organizationId });
    const issue = async () => (await api.exchange(credential.keyId, secret)).body.data.token;
    const statusOf = async (token: string) =>
      (
        await api.call('GET', '/probe/read', {
          authorization: `Bearer ${token}`,
          'x-service-api-key': credential.keyId,
        })
      ).status;
    const former = [...api.ring.allKeys];
    const now = await api.platform.clock.now();
    const next = (from: number) => ({
      id: 'next',
      secret: randomBytes(32),
      endsAt: null,
      signsFrom: new Date(now.getTime() + from),
    });
    try {
      const first = await issue();
      api.ring.replace([...former, next(600_000)]);
      const second = await issue();
      api.ring.replace([...former, next(-1)]);
      const third = await issue();

      expect([first, second, third].map((token) => decodeProtectedHeader(token).kid)).toEqual([
        'new',
        'new',
        'next',
      ]);
      expect(await Promise.all([first, second, third].map(statusOf))).toEqual([200, 200, 200]);
      api.ring.replace([...former.map((key) => ({ ...key, endsAt: new Date(Date.now() - 1) })), next(-1)]);
      // The third token fails because its key has the right id but a different secret.
      expect(await Promise.all([first, second, third].map(statusOf))).toEqual([401, 401, 401]);
      api.ring.replace([next(-1)]);
      expect(await statusOf(first)).toBe(401);
    } finally {
      api.ring.replace(former);
    }
  });

  it('accepts a key id with another prefix of the settings', async () => {
    const { credential, secret } = await api.createCredential({ organizationId });

    const { status } = await api.exchange(credential.keyId.replace('svc.dev.', 'acme.'), secret);

    expect(status).toBe(200);
  });

  it('rejects an unknown key like a wrong secret, with the same SQL statements', async () => {
    const { credential, secret } = await api.createCredential({ organizationId });
    await api.app.get(SetCredentialEnabled).set({
      organizationId,
      credentialId: credential.id,
      enabled: false,
      actor: 'test',
    });
    const query = jest.spyOn(
      api.platform.database.constructor.prototype as { query: () => unknown },
      'query',
    );
    const uuid = credential.id;
    const attempts = [
      [credential.keyId, 'wrong'],
      [credential.keyId, `${secret}x`],
      ['svc.dev.0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f', secret],
      [`svc.prd.${uuid}`, secret],
      [uuid, secret],
      [credential.keyId.toUpperCase(), secret],
      ['svc.dev.nobody', secret],
    ] as const;

    const answers: ApiAnswer[] = [];
    for (const [key, tried] of attempts) answers.push(await api.exchange(key, tried));

    const asked = query.mock.calls.map(([text]: unknown[]) => text);
    const steps = attempts.map((_, n) => asked.slice((n * asked.length) / 7, ((n + 1) * asked.length) / 7));
    expect(asked).toHaveLength(3 * attempts.length);
    for (const step of steps) expect(step).toEqual(steps[0]);
    query.mockRestore();
    expect(new Set(answers.map((answer) => JSON.stringify(withoutRequestId(answer)))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'credentials_invalid' } });
  });

  it('reports a disabled credential or a forbidden address only to a caller with the secret', async () => {
    const { credential, secret } = await api.createCredential({
      organizationId,
      allowedAddresses: ['192.0.2.7'],
    });
    const owned = { organizationId, credentialId: credential.id, actor: 'test' };
    const codeOf = async (tried: string, from: string) =>
      (await api.exchange(credential.keyId, tried, { 'x-forwarded-for': from })).body.code;

    expect(await codeOf('wrong', '192.0.2.8')).toBe('credentials_invalid');
    expect(await codeOf(secret, '192.0.2.8')).toBe('ip_not_allowed');
    expect(await codeOf(secret, '192.0.2.7')).toBeUndefined();
    await api.app.get(SetCredentialEnabled).set({ ...owned, enabled: false });
    expect(await codeOf('wrong', '192.0.2.7')).toBe('credentials_invalid');
    expect(await codeOf(secret, '192.0.2.8')).toBe('credential_disabled');
  });

  it.each([
    [{ api_secret: 'x' }, 'validation_failed'],
    [{ api_key: 'a\u0000b', api_secret: 'x' }, 'validation_failed'],
    [{ api_key: 'a'.repeat(5000), api_secret: 'x' }, 'validation_failed'],
    [{ api_key: 'a', api_secret: 'x', grant_type: 'y' }, 'unknown_field'],
  ])('is rejected if the body is invalid: %j', async (body, code) => {
    const answer = await api.call('POST', '/v1/auth/token', {}, body);

    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('An organization in production', () => {
  it('has credentials, and may collect, only after its approval', async () => {
    const production = await IdentityApi.start('production');
    const { organization } = await production.createOrganization();
    const create = () => production.createCredential({ organizationId: organization.id });
    const collect = () => production.app.get(OrganizationApproval).require(organization.id);
    for (const refused of [create, collect])
      await expect(refused()).rejects.toMatchObject({ code: 'organization_not_approved' });

    const owner = { organizationId: organization.id, accountId: null };
    const texts = { support: 'help@shop.example' };
    await production.app.get(ChangeBranding).change({ owner, texts, actor: 'test' });
    await production.app.get(ApproveOrganization).approve({ organizationId: organization.id, actor: 'test' });

    await collect();
    expect((await create()).credential.keyId).toMatch(/^svc\.prd\./);
    await production.close();
  });
});

describe('The last use of a credential', () => {
  const at = (second: number) => new Date(Date.UTC(2040, 0, 1, 12, 0, second));
  let credential: TestCredential['credential'];
  let before: Date;
  beforeAll(async () => {
    before = await api.platform.clock.now();
    const issued = await api.createCredential({ organizationId });
    credential = issued.credential;
    await api.headers(issued);
    await api.app.get<CredentialLookup>(CredentialLookup).writeUses();
  });
  const lastUsed = async () =>
    (await api.app.get(Credentials).read(organizationId, credential.id)).lastUsedAt;

  it('is the time of the exchange', async () => {
    const used = (await lastUsed())!;
    expect([used >= before, used <= (await api.platform.clock.now())]).toEqual([true, true]);
  });

  it('keeps the latest time when replicas store it out of order', async () => {
    const [one, other] = [0, 1].map(() => new CredentialLookup(api.app.get(Database)));
    one!.recordUse(credential.id, at(9));
    other!.recordUse(credential.id, at(5));

    await one!.writeUses();
    await other!.writeUses();

    expect(await lastUsed()).toEqual(at(9));
  });

  it('is stored later if the database was unavailable', async () => {
    const database = api.app.get(Database);
    let isDown = true;
    const proofs: CredentialLookup = new CredentialLookup({
      query: async (text: string, values: unknown[]) => {
        if (!isDown) return database.query(text, values);
        proofs.recordUse(credential.id, at(30));
        throw new Error('down');
      },
    } as unknown as Database);
    proofs.recordUse(credential.id, at(20));
    await proofs.writeUses();
    isDown = false;

    await proofs.writeUses();

    expect(await lastUsed()).toEqual(at(30));
  });
});
