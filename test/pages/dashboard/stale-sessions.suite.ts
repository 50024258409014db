import { beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { DashboardPerson } from '../../support/dashboard-person.js';
import { dashboardRoutes, type DashboardPath } from '../../support/dashboard-routes.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const HOOK = 'http://127.0.0.1:9/hook';
const STEP_UP = 'Confirm it’s you';

/** A form of each route that takes a fresh second factor, by its path, and what answers it once that was shown. */
const FORMS: Record<string, [form: Record<string, string>, status: number]> = {
  '/app/second-factor/authenticator': [{ new_code: '000000' }, 400],
  '/app/second-factor/passkey/options': [{}, 200],
  '/app/second-factor/passkey': [{ name: 'Key', answer: '{}' }, 400],
  '/app/account/recovery-codes': [{}, 303],
  '/app/account/authenticator/remove': [{}, 409],
  '/app/account/passkeys/:id/remove': [{}, 404],
  '/app/account/sessions/:id/end': [{}, 303],
  '/app/team/invitations': [{ email: 'eve@shop.example', role: 'owner' }, 303],
  '/app/team/:id': [{ role: 'developer', enabled: 'on' }, 303],
  '/app/api-keys/:id': [{ name: 'Till', read: 'on', write: 'on' }, 303],
  '/app/api-keys/:id/allowed-ips': [{ allowed_ips: '203.0.113.0/24', without_own: 'on' }, 303],
  '/app/api-keys/:id/enable': [{}, 303],
  '/app/notices/new': [{ recipients: 'eve@else.example', completed: 'on' }, 400],
  '/app/notices/:id': [{ recipients: 'eve@else.example', completed: 'on', every_minutes: '5' }, 404],
  '/app/notices/:id/channel': [{ kind: 'slack', address: HOOK }, 404],
  '/app/points-of-sale/:id': [{ name: 'Till', return_url: 'https://evil.example/' }, 400],
  '/app/till': [{ point_of_sale_id: MISSING }, 404],
  '/app/webhooks/new': [{ url: HOOK, event_type: 'nothing' }, 400],
  '/app/webhooks/:id/url': [{ url: 'http://127.0.0.1:9/other' }, 303],
  '/app/webhooks/:id/rotate-secret': [{ overlap_seconds: '0' }, 303],
  '/app/periods/close': [{ period: '2030-01' }, 409],
  '/app/periods/reopen': [{ period: '2030-01' }, 409],
};

const forms = dashboardRoutes().filter(({ method, mark }) => method === 'POST' && mark?.act !== undefined);
const taking = (factor: string) => forms.filter(({ mark }) => mark!.act!.factor === factor);
const named = (routes: DashboardPath[]) => routes.map(({ path }) => [path] as const);

let service: TestService;
let ids: [beginning: string, id: string][];
let anna: DashboardPerson;
let recoveryCodes: string[];
/** A session with a second factor that is a minute too old. */
let stale: string;

async function ownThings(): Promise<[string, string][]> {
  const { api, seed, query } = service;
  const hook = { url: HOOK, event_type: 'payment_request' };
  const webhook = await api.post<{ id: string }>(`/v1/account/${seed.accountId}/webhook`, hook);
  await signedIn(query, seed.organizationId, 'viewer');
  const [own] = await query<{ person: string; key: string }>(
    `SELECT (SELECT id FROM identity.collaborators WHERE organization_id = $1 AND role = 'viewer' LIMIT 1) AS person,
       (SELECT id FROM identity.credentials WHERE organization_id = $1 LIMIT 1) AS key`,
    [seed.organizationId],
  );
  return [
    ['/app/team/', own!.person],
    ['/app/api-keys/', own!.key],
    ['/app/webhooks/', webhook.id],
    ['/app/points-of-sale/', seed.posId],
    ['/app/notices/', MISSING],
  ];
}

/** An Owner's session whose second factor was shown so long ago. @returns the `Cookie` header */
async function ownerSince(minutes: number): Promise<string> {
  const cookie = await signedIn(service.query, service.seed.organizationId, 'owner');
  await service.query(
    `UPDATE identity.dashboard_sessions SET factor_proven_at = platform.now() - $1 * interval '1 minute'
     WHERE token_digest = sha256(convert_to($2, 'UTF8'))`,
    [minutes, cookie.split('=')[1]],
  );
  return cookie;
}

async function send(path: string, cookie: string, form: Record<string, string>) {
  const id = ids.find(([beginning]) => path.startsWith(beginning))?.[1] ?? MISSING;
  const answer = await fetch(service.apiUrl + path.replace(/:[a-zA-Z]+/g, id), {
    method: 'POST',
    headers: { ...OWN_FORM, cookie },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return { status: answer.status, text: await answer.text() };
}

/** Each change by hand has an entry. */
const changes = async () =>
  (await service.query<{ n: number }>('SELECT count(*)::int AS n FROM identity.audit_log'))[0]!.n;

const staleAnna = () =>
  service.query(
    `UPDATE identity.dashboard_sessions SET factor_proven_at = platform.now() - interval '11 minutes'
     WHERE collaborator_id = (SELECT id FROM identity.collaborators WHERE email = 'anna@stale.example')`,
  );

export function staleSessionsSuite(shared: SharedService): void {
  describe('A session with an old second factor', () => {
    beforeAll(async () => {
      service = await shared.shop();
      ids = await ownThings();
      const operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
      const invite = ['--organization', service.seed.organizationId, '--email', 'anna@stale.example'];
      const { link } = await operator.run<{ link: string }>('owner', 'invite', ...invite);
      await operator.close();
      anna = new DashboardPerson(service.apiUrl);
      recoveryCodes = await anna.join(link, 'kettle harbour lantern seven');
      stale = await ownerSince(11);
    });

    it.each(named(taking('fresh')))(
      'changes nothing by %s until the second factor is fresh',
      async (path) => {
        const known = FORMS[path];
        if (known === undefined) throw new Error(`Add a form for ${path}.`);
        const [form, status] = known;
        const [fresh, before] = [await ownerSince(9), await changes()];

        const refused = await send(path, stale, form);
        expect([refused.status, await changes()]).toEqual([403, before]);
        expect(refused.text).toContain(STEP_UP);
        for (const [name, value] of Object.entries(form))
          expect(refused.text).toContain(`name="${name}" value="${value}"`);

        expect((await send(path, fresh, form)).status).toBe(status);
      },
    );

    it.each(named(taking('each_time').filter(({ path }) => !path.includes('refunds'))))(
      'requires a code for %s, whether the second factor is fresh or not',
      async (path) => {
        for (const cookie of [stale, await ownerSince(0)]) {
          const before = await changes();
          const refused = await send(path, cookie, { name: 'Till', read: 'on' });
          expect([refused.status, await changes()]).toEqual([400, before]);
          expect(refused.text).toContain('id="code-problem"');
        }
      },
    );

    it('submits the form as it was typed once the second factor is given', async () => {
      const form = { email: 'ben@stale.example', role: 'admin' };
      await staleAnna();

      const wrong = await anna.post('/app/team/invitations', { ...form, code: '000000' });
      const wrongText = await wrong.text();
      expect([wrong.status, wrongText]).toEqual([400, expect.stringContaining('id="code-problem"')]);
      expect(wrongText).toContain('name="email" value="ben@stale.example"');
      expect(wrongText).not.toContain('000000');

      const done = anna.post('/app/team/invitations', { ...form, code: recoveryCodes.pop()! });
      expect(await anna.shown(done)).toContain('id="link"');
      // A second page that asked meanwhile is answered as well, and takes no code.
      const again = await anna.post('/app/team/invitations', { ...form, code: '000000' });
      expect(again.status).toBe(303);
    });

    it('stays fresh if the action is refused after the second factor', async () => {
      await staleAnna();
      const path = `/app/team/${MISSING}`;

      const refused = await anna.post(path, { role: 'viewer', code: recoveryCodes.pop()! });

      expect([refused.status, (await anna.get('/app/team')).status]).toEqual([404, 200]);
    });
  });
}
