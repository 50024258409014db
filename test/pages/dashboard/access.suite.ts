import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { DashboardPerson } from '#test/support/dashboard-person.js';
import { OWN_FORM, signedIn } from '#test/support/dashboard-session.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const EMAIL = 'anna@access.example';
const PASSWORD = 'kettle harbour lantern seven';

let service: TestService;
let operator: OperatorCommandRunner;
let anna: DashboardPerson;
let recoveryCodes: string[];
export function accessSuite(shared: SharedService): void {
  describe('Access to the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
      anna = new DashboardPerson(service.apiUrl);
      recoveryCodes = await anna.join(await inviteOwner(EMAIL), PASSWORD);
    });
    afterAll(() => operator.close());

    async function inviteOwner(email: string): Promise<string> {
      const of = ['--organization', service.seed.organizationId];
      return (await operator.run<{ link: string }>('owner', 'invite', ...of, '--email', email)).link;
    }

    const locationOf = (answer: Response) => answer.headers.get('location');

    describe('The sign-in', () => {
      it('requires an invitation, a password and a second factor', async () => {
        expect(recoveryCodes).toHaveLength(10);
        expect(await anna.text('/app/team')).toContain(EMAIL);
      });

      it('accepts a one-time code once, after the password', async () => {
        const person = clone();
        const entered = await person.post('/app/sign-in', {
          email: ' Anna@Access.example ',
          password: PASSWORD,
        });

        expect(locationOf(entered)).toBe('/app/second-factor');
        for (const path of ['/app/sign-in', '/app/second-factor', '/app/unknown'])
          expect(await (await person.get(path)).text()).toMatch(/You are on <bdi>[\w.-]+(:\d+)?<\/bdi>/);
        expect(locationOf(await person.get('/app/team'))).toBe('/app/second-factor');
        const wrong = await person.post('/app/second-factor', { code: '000000' });
        expect([wrong.status, await wrong.text()]).toEqual([
          400,
          expect.stringContaining('is wrong or has already been used'),
        ]);
        const code = anna.nextCode();
        const passed = await person.post('/app/second-factor', { code, then: '/app/team?page=1' });
        expect(locationOf(passed)).toBe('/app/team?page=1');
        const again = clone();
        await again.post('/app/sign-in', { email: EMAIL, password: PASSWORD });
        expect((await again.post('/app/second-factor', { code })).status).toBe(400);
        expect((await person.post('/app/confirm', { code })).status).toBe(400);
      });

      it('accepts a recovery code once', async () => {
        const enter = async () => {
          const person = clone();
          await person.post('/app/sign-in', { email: EMAIL, password: PASSWORD });
          return person.post('/app/second-factor', {
            code: recoveryCodes[0]!.toLowerCase().replaceAll('-', ' '),
          });
        };

        expect([(await enter()).status, (await enter()).status]).toEqual([303, 400]);
      });

      it('starts a new session at each step, and ignores one that was set before', async () => {
        const person = clone();
        person.set('__Host-dashboard_session', 'planted');
        await person.post('/app/sign-in', { email: EMAIL, password: PASSWORD });
        const halfway = person.cookie('__Host-dashboard_session')!;
        await person.post('/app/second-factor', { code: recoveryCodes.pop()! });

        const thief = clone();
        thief.set('__Host-dashboard_session', halfway);
        expect([halfway, locationOf(await thief.get('/app/team'))]).toEqual([
          expect.not.stringMatching('planted'),
          '/app/sign-in?then=%2Fapp%2Fteam',
        ]);
        expect((await person.get('/app/team')).status).toBe(200);
      });

      it('ends the session immediately on signing out', async () => {
        const cookie = await signedIn(service.query, service.seed.organizationId, 'viewer');
        const request = { headers: { cookie, ...OWN_FORM }, redirect: 'manual' } as const;

        const left = await fetch(`${service.apiUrl}/app/sign-out`, { method: 'POST', ...request });

        expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
        expect((await fetch(`${service.apiUrl}/app/team`, request)).status).toBe(303);
      });

      it('cannot be framed, and allows no inline scripts or styles of others', async () => {
        const policy = (await clone().get('/app/sign-in')).headers.get('content-security-policy');

        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toContain('unsafe');
      });

      it('loads its stylesheet from a path of the release, which browsers may keep', async () => {
        const [, path] = /@import"([^"]+)"/.exec(await anna.text('/app/team'))!;
        const cacheOf = async (asset: string) =>
          (await fetch(service.apiUrl + asset)).headers.get('cache-control');

        expect(await cacheOf(path!)).toBe('public, max-age=31536000, immutable');
        expect(await cacheOf('/app/assets/another.css')).toBe('no-store');
      });

      it('rejects an API credential, as the API rejects a session', async () => {
        const { apiKey, apiSecret } = service.seed;
        const headers = await authenticationOf(apiKey, apiSecret);

        expect((await fetch(`${service.apiUrl}/app/team`, { headers, redirect: 'manual' })).status).toBe(303);
        const cookie = `__Host-dashboard_session=${anna.cookie('__Host-dashboard_session')}`;
        expect((await fetch(`${service.apiUrl}/v1/pos`, { headers: { cookie } })).status).toBe(401);
      });
    });

    describe('A forgotten password', () => {
      it('is reset by an emailed link that works once, ends all sessions and does not replace the second factor', async () => {
        const person = clone();
        const known = await (await person.post('/app/password-reset', { email: EMAIL })).text();
        const unknown = await (
          await person.post('/app/password-reset', { email: 'nobody@shop.example' })
        ).text();
        expect(unknown).toBe(known);
        const path = await linkIn('Reset your password');
        expect((await person.post(path, { password: 'Boat2026' })).status).toBe(303);
        expect((await person.get(path)).status).toBe(404);
        expect((await anna.get('/app/team')).status).toBe(303);

        const entered = await person.post('/app/sign-in', { email: EMAIL, password: 'Boat2026' });
        expect(locationOf(entered)).toBe('/app/second-factor');
        expect((await person.get('/app/team')).headers.get('location')).toBe('/app/second-factor');
        await anna.post('/app/sign-in', { email: EMAIL, password: 'Boat2026' });
        await anna.post('/app/second-factor', { code: recoveryCodes.pop()! });
        await anna.post('/app/account/password', { current_password: 'Boat2026', password: PASSWORD });
        expect((await anna.get('/app/team')).status).toBe(200);
        expect(await isMailed(EMAIL, 'Your password was changed, and your other sessions have ended.')).toBe(
          true,
        );
      });
    });

    describe('The team', () => {
      it('grows by invitation, and a disabled person loses access immediately', async () => {
        const page = await anna.shown(
          anna.post('/app/team/invitations', { email: 'ben@shop.example', role: 'admin' }),
        );
        const ben = clone();
        await ben.join(shownAt(page, 'link'), PASSWORD);
        expect((await ben.get('/app/api-keys')).status).toBe(200);
        expect(
          (await ben.post('/app/team/invitations', { email: 'eve@shop.example', role: 'owner' })).status,
        ).toBe(400);

        const [{ id }] = (await service.query<{ id: string }>(
          "SELECT id FROM identity.collaborators WHERE email = 'ben@shop.example'",
        )) as [{ id: string }];
        await anna.post(`/app/team/${id}`, { role: 'viewer', enabled: 'on' });
        expect((await ben.get('/app/api-keys')).status).toBe(403);
        await anna.post(`/app/team/${id}`, { role: 'viewer' });
        expect((await ben.get('/app/team')).status).toBe(303);
        expect(
          (await ben.post('/app/sign-in', { email: 'ben@shop.example', password: PASSWORD })).status,
        ).toBe(400);
      });

      it('escapes the text of people', async () => {
        const name = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
        const page = await anna.shown(
          anna.post('/app/team/invitations', { email: 'eve@shop.example', role: 'viewer' }),
        );
        await clone().post(new URL(shownAt(page, 'link')).pathname, { name, password: PASSWORD });

        for (const path of ['/app/team', '/app/audit-log']) {
          const shown = await anna.text(path);
          expect(shown).toContain('&lt;script>alert(2)');
          expect(shown).not.toContain('<img src=x');
        }
      });
    });

    /** In development mails are printed in the worker's log. @returns the path of the link in the newest one with that subject */
    async function linkIn(subject: string): Promise<string> {
      const found = async () =>
        /http[^\s"\\]+/.exec(service.log('worker').split(subject).slice(1).at(-1) ?? '')?.[0];
      return new URL((await eventually(found, (link) => link !== undefined))!).pathname;
    }

    async function isMailed(recipient: string, sentence: string): Promise<boolean> {
      const texts = async () => service.log('worker').split('"recipient":"');
      const isIt = (text: string) => text.startsWith(recipient) && text.includes(sentence);
      return (await eventually(texts, (all) => all.some(isIt))).length > 0;
    }

    describe('An API key', () => {
      it('is created with the second factor, and rejected by the API as soon as it is disabled', async () => {
        const form = { name: 'Till "7" <b>', read: 'on', allowed_ips: '127.0.0.1\n10.0.0.0/8' };
        const refused = await anna.post('/app/api-keys', { ...form, code: '123456' });
        expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('10.0.0.0/8')]);

        const made = await anna.post('/app/api-keys', { ...form, code: recoveryCodes.pop()! });
        const page = await anna.text(locationOf(made)!);
        // A page that is loaded anew shows no secret, and creates no second key.
        expect(locationOf(await anna.get(locationOf(made)!))).toMatch(/\?done=shown$/);
        const [apiKey, apiSecret] = ['key-id', 'key-secret'].map((id) => shownAt(page, id));
        const headers = await authenticationOf(apiKey!, apiSecret!);
        const call = async () => (await fetch(`${service.apiUrl}/v1/account`, { headers })).status;
        const path = `/app/api-keys/${apiKey!.slice('svc.dev.'.length)}`;

        expect(await call()).toBe(200);
        expect(await anna.text(path)).not.toContain(apiSecret);
        await anna.post(`${path}/disable`);
        expect([await call(), (await exchange(apiKey!, apiSecret!)).code]).toEqual([
          401,
          'credential_disabled',
        ]);
        await anna.post(`${path}/enable`);
        expect(await call()).toBe(200);
        await anna.post(path, { name: 'Till', write: 'on' });
        expect(await call()).toBe(403);
        expect((await anna.post(`${path}/delete`, { confirmation: 'till' })).status).toBe(400);
        expect((await anna.post(`${path}/delete`, { confirmation: 'Till' })).status).toBe(303);
        expect([(await anna.get(path)).status, (await exchange(apiKey!, apiSecret!)).code]).toEqual([
          404,
          'credentials_invalid',
        ]);
        const log = await anna.text('/app/audit-log');
        for (const what of ['created', 'disabled', 'enabled', 'changed', 'deleted'])
          expect(log).toContain(`API key ${what}`);
        expect(log).not.toContain(apiSecret);
      });

      it('warns its owner if the allowed addresses would exclude the address of that owner', async () => {
        const page = await anna.shown(
          anna.post('/app/api-keys', { name: 'Lock', read: 'on', code: recoveryCodes.pop()! }),
        );
        const path = `/app/api-keys/${shownAt(page, 'key-id').slice('svc.dev.'.length)}`;
        const save = (form: Record<string, string>) =>
          anna.post(`${path}/allowed-ips`, { allowed_ips: '203.0.113.0/24', ...form });

        const warned = await save({});
        expect([warned.status, await warned.text()]).toEqual([
          400,
          expect.stringMatching(/does not include 127\.0\.0\.1.*203\.0\.113\.0\/24/s),
        ]);
        expect((await save({ without_own: 'on' })).status).toBe(303);
        expect(await anna.text(path)).toContain('203.0.113.0/24');
      });
    });

    function shownAt(page: string, id: string): string {
      return new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(page)![1]!;
    }

    describe('Guessing a password', () => {
      it('is stopped after five wrong passwords, for a quarter of an hour, except on a known device', async () => {
        const stranger = clone();
        const guess = () => stranger.post('/app/sign-in', { email: EMAIL, password: 'wrong' });
        const statuses: number[] = [];
        for (let n = 0; n < 7; n += 1) statuses.push((await guess()).status);

        expect(statuses.slice(-1)).toEqual([429]);
        const right = await stranger.post('/app/sign-in', { email: EMAIL, password: PASSWORD });
        expect([right.status, right.headers.get('set-cookie')]).toEqual([429, null]);
        const known = clone();
        known.set('__Host-dashboard_device', anna.cookie('__Host-dashboard_device')!);
        expect((await known.post('/app/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(303);

        await service.advance(901);
        expect((await clone().post('/app/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(303);
      });
    });

    async function exchange(apiKey: string, apiSecret: string) {
      const answer = await fetch(`${service.apiUrl}/v1/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
      });
      return (await answer.json()) as { code?: string; data: { token: string } };
    }

    async function authenticationOf(apiKey: string, apiSecret: string): Promise<Record<string, string>> {
      const { data } = await exchange(apiKey, apiSecret);
      return { authorization: `Bearer ${data.token}`, 'x-service-api-key': apiKey };
    }

    function clone(): DashboardPerson {
      return new DashboardPerson(service.apiUrl);
    }
  });
}
