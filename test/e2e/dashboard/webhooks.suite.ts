import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { newId } from '#shared/kernel/ids.js';
import { anotherOrganization } from '../../support/another-organization.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import { shownOnce } from '../../support/shown-once.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;

let service: TestService;
let shop: Receiver;
let owner: string;
let developer: string;
let viewer: string;

async function get(path: string, cookie = owner) {
  const answer = await fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

async function post(path: string, fields: Record<string, string> = {}, cookie = owner, headers: object = {}) {
  const answer = await fetch(service.apiUrl + path, {
    method: 'POST',
    headers: { cookie, ...OWN_FORM, ...headers } as Record<string, string>,
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  return { answer, status: answer.status, location, html: await answer.text() };
}

/** @returns its id and secret */
async function register(description = 'Orders') {
  const { accountId } = service.seed;
  const fields = { account_id: accountId, url: shop.url, event_type: 'payment_request', description };
  const { answer } = await post('/app/webhooks/new', fields);
  const html = await shownOnce(service.apiUrl, answer, owner);
  return {
    id: /\/app\/webhooks\/([0-9a-f-]{36})"/.exec(html)![1]!,
    secret: /whsec_[A-Za-z0-9]{44}/.exec(html)![0],
  };
}

export function webhooksSuite(shared: SharedService): void {
  describe('Webhooks in the dashboard', () => {
    beforeAll(async () => {
      [service, shop] = await Promise.all([shared.shop(), startReceiver()]);
      const { query, seed } = service;
      [owner, developer, viewer] = [
        await signedIn(query, seed.organizationId, 'owner'),
        await signedIn(query, seed.organizationId, 'developer'),
        await signedIn(query, seed.organizationId, 'viewer'),
      ];
    });
    afterAll(async () => {
      expect(await service.breaches()).toEqual([]);
      await shop.close();
    });

    describe('The list of webhooks', () => {
      it('says that there is none, and leads on', async () => {
        const { html } = await get('/app/webhooks');

        expect(html).toContain('No webhooks yet.');
        expect(html).toContain('href="/app/webhooks/new"');
        expect((await get('/app/webhooks', viewer)).html).not.toContain('/app/webhooks/new');
      });

      it('shows each with its account, state and health, by pages', async () => {
        const { id } = await register();

        const { html } = await get('/app/webhooks', viewer);

        for (const shown of [`/app/webhooks/${id}`, shop.url, 'Payments', 'Active', 'Healthy', '1–1 of 1']) {
          expect(html).toContain(shown);
        }
        expect((await get('/app/webhooks?page=2')).html).toContain('No webhooks yet.');
      });
    });

    describe('Registering a webhook', () => {
      it('shows the secret once and stores it nowhere in the clear', async () => {
        const { id, secret } = await register();

        const pages = await Promise.all(
          [`/app/webhooks/${id}`, `/app/webhooks/${id}/settings`, '/app/webhooks', '/app/audit-log'].map(
            (path) => get(path),
          ),
        );

        for (const { html } of pages) expect(html).not.toContain(secret);
      });

      it('keeps what was typed where it is refused, and names the field', async () => {
        const fields = {
          account_id: service.seed.accountId,
          url: 'http://shop.example/hooks',
          event_type: 'refund',
          description: HOSTILE,
        };

        const { status, html } = await post('/app/webhooks/new', fields);

        expect(status).toBe(400);
        expect(html).toContain('id="url-problem"');
        expect(html).toContain('value="http://shop.example/hooks"');
        expect(html).toMatch(/<option value="refund" selected|<option selected[^>]* value="refund"/);
        expect(html).toContain('&lt;img src=x');
      });

      it('says in the audit log who did it, and from where', async () => {
        const { id } = await register();

        const [entry] = await service.query<{ actor: string; address: string; action: string }>(
          'SELECT actor, address, action FROM identity.audit_log WHERE subject_id = $1',
          [id],
        );

        expect(entry).toMatchObject({ action: 'webhook.registered', address: expect.any(String) });
        expect(entry!.actor).toMatch(/^owner-.*@shop\.example$/);
      });
    });

    describe('A webhook', () => {
      it('is sent a test, whose body and answer stand in its log', async () => {
        const { id } = await register();
        shop.answer = (_request, response) => response.writeHead(503).end();

        const { status, location } = await post(`/app/webhooks/${id}/test`, {}, developer);

        shop.answer = (_request, response) => response.end();
        expect([status, location]).toEqual([303, `/app/webhooks/${id}?done=tested`]);
        const { html } = await get(location!, viewer);
        for (const shown of ['Test sent', 'HTTP 503', 'Failed']) expect(html).toContain(shown);
        const [, opened] = /href="([^"]+\?attempt=[0-9a-f-]{36})">Test</.exec(html)!;
        expect((await get(opened!, viewer)).html).toContain('payment_request_status_update');
        expect(html).not.toContain('>Resend<');
      });

      it('is resent a delivery, and shows its log by filters and pages', async () => {
        const { id } = await register();
        for (let tests = 0; tests < 26; tests += 1) await post(`/app/webhooks/${id}/test`, {}, developer);
        const delivery = /deliveries\/([0-9a-f-]{36})\/resend/.exec(
          (await get(`/app/webhooks/${id}`, developer)).html,
        )![1];
        const before = shop.requests.length;

        const { status, location } = await post(
          `/app/webhooks/${id}/deliveries/${delivery}/resend`,
          {},
          developer,
        );

        expect([status, location]).toEqual([303, `/app/webhooks/${id}?done=resent`]);
        await eventually(
          async () => shop.requests.length,
          (now) => now > before,
        );
        await eventually(
          () => get(`/app/webhooks/${id}`),
          ({ html }) => html.includes('1–10 of 27'),
        );
        expect((await get(`/app/webhooks/${id}?page=3&status=delivered`)).html).toContain('21–27 of 27');
        expect((await get(`/app/webhooks/${id}?status=failed&from=&to=`)).html).toContain(
          'No attempts match',
        );
        expect((await get(`/app/webhooks/${id}?to=2020-01-01`)).html).toContain('No attempts match');
        expect((await get(`/app/webhooks/${id}?payment_request_id=${newId()}`)).html).toContain(
          'No attempts match',
        );
        expect((await get(`/app/webhooks/${id}?status=none`)).status).toBe(400);
      });

      it('counts the events of a time, replays them, and refuses a time that ends before it begins', async () => {
        const { id } = await register();
        const path = `/app/webhooks/${id}/replay`;
        const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

        expect((await get(path, developer)).html).toContain('value="count"');
        expect((await post(path, { ...range, act: 'count' }, developer)).html).toContain(
          '0 events in this period',
        );
        expect(await post(path, { ...range, act: 'replay' }, developer)).toMatchObject({
          status: 303,
          location: `/app/webhooks/${id}?done=replayed`,
        });
        const refused = await post(path, { from: range.to, to: range.from, act: 'replay' }, developer);
        expect(refused.status).toBe(400);
        expect(refused.html).toContain('id="to-problem"');
        expect(refused.html).toContain(`value="${range.to}"`);
      });

      it('is changed, deactivated, activated and deleted, each in the audit log', async () => {
        const { id } = await register();
        const path = `/app/webhooks/${id}`;

        expect((await post(`${path}/url`, { url: 'ftp://x' })).html).toContain('value="ftp://x"');
        expect((await post(`${path}/url`, { url: `${shop.url}/other` })).location).toBe(
          `${path}?done=url_changed`,
        );
        expect((await post(`${path}/deactivate`)).status).toBe(303);
        expect((await post(`${path}/test`)).status).toBe(409);
        expect((await get(path, developer)).html).not.toContain('Send test');
        expect((await post(`${path}/activate`)).status).toBe(303);
        expect((await post(`${path}/delete`)).status).toBe(400);
        expect((await post(`${path}/delete`, { confirm: 'on' })).location).toBe('/app/webhooks?done=deleted');
        expect((await get(path)).status).toBe(404);
        const actions = await service.query<{ action: string }>(
          'SELECT action FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
          [id],
        );
        expect(actions.map(({ action }) => action.replace('webhook.', ''))).toEqual([
          ...['registered', 'url_changed', 'deactivated', 'activated', 'deleted'],
        ]);
      });

      it('is given a new secret, which is shown once, and refuses another while the old one signs', async () => {
        const { id, secret } = await register();
        const path = `/app/webhooks/${id}`;

        const rotated = await post(`${path}/rotate-secret`, { overlap_seconds: '3600' });

        const html = await shownOnce(service.apiUrl, rotated.answer, owner);
        expect(/whsec_[A-Za-z0-9]{44}/.exec(html)![0]).not.toBe(secret);
        expect((await post(`${path}/rotate-secret`, { overlap_seconds: '0' })).status).toBe(409);
        expect((await post(`${path}/end-overlap`)).status).toBe(303);
        expect((await post(`${path}/rotate-secret`, { overlap_seconds: 'x' })).status).toBe(400);
      });

      it('shows what merchants wrote as text', async () => {
        const { id } = await register(HOSTILE);
        await service.query('UPDATE identity.accounts SET name = $2 WHERE id = $1', [
          service.seed.accountId,
          HOSTILE,
        ]);

        for (const path of [
          '/app/webhooks',
          `/app/webhooks/${id}`,
          '/app/webhooks/new',
          `/app/webhooks/${id}/settings`,
        ]) {
          const { html } = await get(path);
          expect(html).not.toContain('<img');
          expect(html).not.toContain('<script>alert');
        }
      });
    });

    describe('What is not allowed', () => {
      it('is another organization’s webhook, on every page and form', async () => {
        const { id } = await register();
        const stranger = await anotherOrganization(service.query, service.seed.organizationId);
        const cookie = await signedIn(service.query, stranger, 'owner');

        for (const page of ['', '/settings', '/replay'])
          expect((await get(`/app/webhooks/${id}${page}`, cookie)).status).toBe(404);
        for (const [form, fields] of FORMS(id)) expect((await post(form, fields, cookie)).status).toBe(404);
        expect((await get('/app/webhooks', cookie)).html).toContain('No webhooks yet.');
      });

      it('is a form of a role that may not, or of another site', async () => {
        const { id } = await register();
        const fields = { account_id: service.seed.accountId, url: shop.url, event_type: 'refund' };
        const forms: [string, Record<string, string>][] = [['/app/webhooks/new', fields], ...FORMS(id)];

        for (const [form, typed] of forms) {
          expect((await post(form, typed, viewer)).status).toBe(403);
          expect((await post(form, typed, owner, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
        }
        expect((await post(`/app/webhooks/${id}/deactivate`, {}, developer)).status).toBe(403);
        expect((await get(`/app/webhooks/${id}/settings`, developer)).status).toBe(403);
        expect(
          (await post(`/app/webhooks/${id}/delete`, { confirm: 'on', organization_id: newId() })).status,
        ).toBe(400);
      });

      const FORMS = (id: string): [string, Record<string, string>][] => [
        [`/app/webhooks/${id}/test`, {}],
        [`/app/webhooks/${id}/deliveries/${newId()}/resend`, {}],
        [
          `/app/webhooks/${id}/replay`,
          { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', act: 'replay' },
        ],
        [`/app/webhooks/${id}/url`, { url: shop.url }],
        [`/app/webhooks/${id}/activate`, {}],
        [`/app/webhooks/${id}/deactivate`, {}],
        [`/app/webhooks/${id}/rotate-secret`, { overlap_seconds: '0' }],
        [`/app/webhooks/${id}/end-overlap`, {}],
        [`/app/webhooks/${id}/delete`, { confirm: 'on' }],
      ];
    });

    it('takes at most 30 kB a page', async () => {
      const { items } = {
        items: await service.query<{ id: string }>(
          'SELECT id FROM webhooks.webhooks WHERE deleted_at IS NULL AND organization_id = $1',
          [service.seed.organizationId],
        ),
      };
      const sizes = await Promise.all(
        items.map(async ({ id }) => gzipSync((await get(`/app/webhooks/${id}`)).html).length),
      );
      expect(Math.max(...sizes)).toBeLessThan(30_000);
    });
  });
}
