import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const HOSTILE = `"><script>alert(1)</script>`;

let service: TestService;
let owner: string;
let viewer: string;

async function get(path: string, cookie = owner) {
  const answer = await fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

async function post(path: string, fields: Record<string, string> = {}, cookie = owner) {
  const answer = await fetch(service.apiUrl + path, {
    method: 'POST',
    headers: { cookie, ...OWN_FORM },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
}

const RULE = { completed: 'on', weekly_report: 'on', every_minutes: '60', time_zone: 'Europe/Lisbon' };

/** A rule of the shop. @returns its path, and the token of its only recipient */
async function made(email: string) {
  const fields = { ...RULE, account_id: service.seed.accountId, recipients: email };
  const { status, location } = await post('/app/notices/new', fields);
  expect(status).toBe(303);
  const path = location!.split('?')[0]!;
  const [row] = await service.query<{ token: string }>(
    'SELECT token FROM notices.recipients WHERE rule_id = $1 AND email = $2',
    [path.split('/').at(-1), email],
  );
  return { path, token: row!.token };
}

export function noticesSuite(shared: SharedService): void {
  describe('Mail rules in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      const { query, seed } = service;
      owner = await signedIn(query, seed.organizationId, 'owner');
      viewer = await signedIn(query, seed.organizationId, 'viewer');
    });
    afterAll(async () => {
      expect(await service.breaches()).toEqual([]);
    });

    it('are made, changed and deleted by forms, which name what is wrong', async () => {
      expect((await get('/app/notices')).html).toContain('No notification rules yet.');
      const many = Array.from({ length: 1_000 }, (_, n) => `${n}@else.example`).join('\n');
      for (const [wrong, shown] of [
        [{ recipients: many }, 'must be 1 to 5 addresses.'],
        [{ recipients: HOSTILE }, 'must be an e-mail address'],
        [{ completed: '', weekly_report: '' }, 'must have at least one kind.'],
        [{ low_float: 'on', float_below: '1' }, 'must be an asset of this service.'],
      ] as const) {
        const fields = { ...RULE, account_id: service.seed.accountId, recipients: 'a@b.example', ...wrong };
        const { status, html } = await post('/app/notices/new', fields);
        expect([status, html.includes(shown)]).toEqual([400, true]);
        expect(html).not.toContain(HOSTILE);
      }

      const { path } = await made('books@shop.example');
      const { html } = await get(path);
      expect(html).toContain('Not confirmed');
      expect(Buffer.byteLength(html)).toBeLessThan(30_000);
      expect((await post(path, { ...RULE, refund: 'on', recipients: 'books@shop.example' })).status).toBe(
        303,
      );
      expect((await get('/app/notices', viewer)).html).toContain(
        'Completed payments, refunds, weekly report',
      );
      const seen = await get(path, viewer);
      expect([seen.status, seen.html.includes('Save')]).toEqual([200, false]);
      expect((await post(path, RULE, viewer)).status).toBe(403);
      expect((await post(`${path}/delete`)).html).toContain('Tick the box');
      expect((await post(`${path}/delete`, { confirm: 'on' })).location).toBe('/app/notices?done=deleted');
      expect((await get(path)).status).toBe(404);
    });

    it('mail to an address once it has confirmed, until one click ends it, whatever program clicks', async () => {
      const { path, token } = await made('club@else.example');
      const page = `/mail/${token}`;
      const asked = await fetch(service.apiUrl + page);
      expect([asked.status, await asked.text()]).toEqual([
        200,
        expect.stringContaining('Receive these emails?'),
      ]);
      expect((await get(path)).html).toContain('Not confirmed');

      await fetch(`${service.apiUrl}${page}/confirm`, { method: 'POST' });
      expect((await get(path)).html).toContain('Subscribed');

      // RFC 8058 has both forms, and programs of the web send their own origin.
      const multipart = new FormData();
      multipart.set('List-Unsubscribe', 'One-Click');
      for (const body of [multipart, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })]) {
        const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
        const answer = await fetch(service.apiUrl + page, { method: 'POST', body, headers });
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('unsubscribed')]);
        expect((await get(path)).html).toContain('Unsubscribed');
        await fetch(`${service.apiUrl}${page}/confirm`, { method: 'POST' });
      }
      const guess = await fetch(`${service.apiUrl}/mail/${newId<string>()}`, { method: 'POST' });
      expect([guess.status, await guess.text()]).toEqual([404, expect.stringContaining('Page not found')]);
      const foreign = await fetch(`${service.apiUrl}${page}/confirm`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(foreign.status).toBe(403);
    });
  });
}
