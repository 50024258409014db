import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { poolOf } from '#shared/platform/database/data-source.js';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { EnableCredential } from '#contexts/identity/application/credentials/enable-credential.js';
import { authentication, IdentityApi, type Issued } from '#contexts/identity/testing/identity-api.js';

let api: IdentityApi;
let organizationId: Issued['credential']['organizationId'];
let accountId: NonNullable<Issued['credential']['accountId']>;

beforeAll(async () => {
  api = await IdentityApi.start();
  const { organization, account } = await api.organization();
  organizationId = organization.id;
  accountId = account.id;
});
afterAll(() => api.close());

const codeOf = async (method: string, path: string, headers: Record<string, string>) =>
  (await api.call(method, path, headers)).body.code ?? 'success';

/** The pool itself, so that nothing that reaches PostgreSQL goes uncounted. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(poolOf(api.app.get(DataSource)), 'query');
  await work();
  const count = query.mock.calls.length;
  query.mockRestore();
  return count;
}

describe('Proving a request', () => {
  it('asks in one order, and the first proof that fails answers', async () => {
    const change = api.app.get(ChangeCredential);
    const issued = await api.credential({
      organizationId,
      accountId,
      roles: ['read'],
      allowedAddresses: ['10.0.0.0/8'],
    });
    const other = await api.credential({ organizationId });
    const good = await api.headers(issued, '10.1.2.3');
    const gone = await api.credential({ organizationId });
    const goneHeaders = await api.headers(gone);
    const owned = { organizationId, credentialId: issued.credential.id, actor: 'test' };
    const switchTo = (enabled: boolean) => api.app.get(EnableCredential).execute({ ...owned, enabled });
    await api.app.get(DeleteCredential).execute({ ...owned, credentialId: gone.credential.id });
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
    await change.execute({ ...owned, roles: ['write'] });
    expect(await ask(near)).toBe('organization_scope_required');
    expect(await codeOf('POST', '/probe/write', near)).toBe('success');
  });

  it('refuses an expired token before it looks at anything else', async () => {
    const issued = await api.credential({ organizationId });
    const headers = await api.headers(issued);
    await api.app
      .get(DeleteCredential)
      .execute({ organizationId, credentialId: issued.credential.id, actor: 'test' });

    await api.platform.advance(3600);

    expect(await codeOf('GET', '/probe/read', { ...headers, 'x-service-api-key': 'svc.dev.other' })).toBe(
      'token_expired',
    );
  });

  it('counts the hour of a token by the clock of the database', async () => {
    const issued = await api.credential({ organizationId });
    const headers = await api.headers(issued);

    await api.platform.advance(3590);
    expect(await codeOf('GET', '/probe/read', headers)).toBe('success');
    await api.platform.advance(10);
    expect(await codeOf('GET', '/probe/read', headers)).toBe('token_expired');
    await api.platform.advance(-7200);
    expect(await codeOf('GET', '/probe/read', headers)).toBe('success');
  });

  it('asks nothing of the clock of this process, which may be ahead by hours', async () => {
    await api.platform.advance(-7200);
    const headers = await api.headers(await api.credential({ organizationId }));

    expect(await codeOf('GET', '/probe/read', headers)).toBe('success');
    await api.platform.advance(7200);
  });

  it('hands the route its principal', async () => {
    const issued = await api.credential({ organizationId, accountId, roles: ['read'] });

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

  it('asks the database once, and not at all where everybody may come or the token is forged', async () => {
    const headers = await api.headers(await api.credential({ organizationId }));
    const forged = authentication('e30.e30.e30', headers['x-service-api-key'] ?? '');

    expect(await statementsOf(() => api.call('POST', '/probe/write', headers))).toBe(1);
    expect(await statementsOf(() => api.call('GET', '/probe/public'))).toBe(0);
    expect(await statementsOf(() => api.call('GET', '/probe/read', forged))).toBe(0);
  });

  it.each(['credential_disabled', 'role_required', 'ip_not_allowed', 'credentials_invalid'])(
    'feels at the very next request what makes it %s',
    async (code) => {
      const { credential, secret } = await api.credential({ organizationId });
      const headers = await api.headers({ credential, secret });
      expect(await codeOf('GET', '/probe/read', headers)).toBe('success');
      const owned = { organizationId, credentialId: credential.id, actor: 'test' };
      const causes: Record<string, () => Promise<unknown>> = {
        credential_disabled: () => api.app.get(EnableCredential).execute({ ...owned, enabled: false }),
        role_required: () => api.app.get(ChangeCredential).execute({ ...owned, roles: ['write'] }),
        ip_not_allowed: () =>
          api.app.get(ChangeCredential).execute({ ...owned, allowedAddresses: ['192.0.2.0/24'] }),
        credentials_invalid: () => api.app.get(DeleteCredential).execute(owned),
      };

      await causes[code]?.();

      expect(await codeOf('GET', '/probe/read', headers)).toBe(code);
    },
  );

  it('lets a credential work again once it is enabled', async () => {
    const issued = await api.credential({ organizationId });
    const headers = await api.headers(issued);
    const owned = { organizationId, credentialId: issued.credential.id, actor: 'test' };

    await api.app.get(EnableCredential).execute({ ...owned, enabled: false });
    await api.app.get(EnableCredential).execute({ ...owned, enabled: true });

    expect(await codeOf('GET', '/probe/read', headers)).toBe('success');
  });

  it.each([
    ['::ffff:10.0.0.1', 'success'],
    ['::ffff:a00:1', 'success'],
    ['10.0.0.1, 192.0.2.9', 'ip_not_allowed'],
    ['192.0.2.9, 10.0.0.1', 'success'],
    ['11.0.0.1', 'ip_not_allowed'],
  ])('compares addresses in one spelling: %s', async (forwarded, code) => {
    const issued = await api.credential({ organizationId, allowedAddresses: ['10.20.30.40/8'] });
    const headers = await api.headers(issued, '10.0.0.1');

    expect(await codeOf('GET', '/probe/read', { ...headers, 'x-forwarded-for': forwarded })).toBe(code);
  });
});

async function spareAccount(): Promise<string> {
  return (await api.app.get(CreateAccount).execute({ organizationId, name: 'Spare', actor: 'test' })).id;
}

const WITH_BODY = ['POST', 'PUT'];

describe('Every route', () => {
  it('lets each kind of credential in exactly where its role and scope suffice', async () => {
    const kinds = {
      nobody: {},
      'account read': await api.headers(await api.credential({ organizationId, accountId, roles: ['read'] })),
      'account write': await api.headers(
        await api.credential({ organizationId, accountId, roles: ['write'] }),
      ),
      'organization read': await api.headers(await api.credential({ organizationId, roles: ['read'] })),
      'organization write': await api.headers(await api.credential({ organizationId, roles: ['write'] })),
    };
    const allowed: Record<string, (keyof typeof kinds)[]> = {
      'GET /v1/account': ['account read', 'organization read'],
      'POST /v1/account': ['organization write'],
      'GET /v1/account/:accountID': ['account read', 'organization read'],
      'PUT /v1/account/:accountID': ['organization write'],
      'DELETE /v1/account/:accountID': ['organization write'],
      'GET /probe/read': ['account read', 'organization read'],
      'POST /probe/write': ['account write', 'organization write'],
      'POST /probe/organization': ['organization write'],
      'GET /probe/pos/:posID': ['account read', 'organization read'],
      'POST /probe/pos/:posID': ['account write', 'organization write'],
      'GET /probe/common': ['account read', 'organization read'],
      'GET /probe/public': Object.keys(kinds) as (keyof typeof kinds)[],
    };
    const open = [
      'POST /v1/auth/token',
      'GET /logo/:name',
      'POST /public/till/pairing',
      'POST /public/till/pairing/subject',
    ];
    const routes = registeredRoutes().filter((route) => !open.includes(route));
    expect(routes.sort()).toEqual(Object.keys(allowed).sort());

    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const admitted: string[] = [];
      for (const [kind, headers] of Object.entries(kinds)) {
        const body = WITH_BODY.includes(method) && path.startsWith('/v1/') ? { name: 'Berlin' } : undefined;
        // Each deletion needs an account of its own.
        const target = path.replace(':accountID', method === 'DELETE' ? await spareAccount() : accountId);
        const { status, body: answer } = await api.call(method, target, headers, body);
        if (status === 200) admitted.push(kind);
        else if (kind === 'nobody')
          expect([route, status, answer.code]).toEqual([route, 401, 'token_missing']);
        else expect([route, kind, status]).toEqual([route, kind, 403]);
      }
      expect([route, admitted]).toEqual([route, allowed[route]]);
    }
  });
});

function registeredRoutes(): string[] {
  const { router } = api.app.getHttpAdapter().getInstance() as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`),
  );
}
