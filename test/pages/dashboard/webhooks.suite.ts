import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { newId } from '#shared/kernel/ids.js';
import { DashboardDesk, HOSTILE } from './dashboard-desk.js';
import { signedIn } from '../../support/dashboard-session.js';
import { oneTimeSecretStore } from '../../support/shown-once.js';
import { eventually } from '../../support/eventually.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;
let shop: Receiver;
let developer: string;

const locationOf = ({ headers }: Response) => headers.get('location');

async function register(description = 'Orders') {
  const { accountId: account_id } = desk.service.seed;
  const fields = { account_id, url: shop.url, event_type: 'payment_request', description };
  const answer = await desk.post('/app/webhooks/new', fields);
  const html = await oneTimeSecretStore(desk.service.apiUrl, answer, desk.owner);
  return {
    path: /(\/app\/webhooks\/[0-9a-f-]{36})"/.exec(html)![1]!,
    secret: /whsec_[A-Za-z0-9]{44}/.exec(html)![0],
  };
}

const actionsOf = (path: string): [string, Record<string, string>][] => [
  [`${path}/test`, {}],
  [`${path}/deliveries/${newId()}/resend`, {}],
  [`${path}/replay`, { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', act: 'replay' }],
  [`${path}/url`, { url: shop.url }],
  [`${path}/activate`, {}],
  [`${path}/deactivate`, {}],
  [`${path}/rotate-secret`, { overlap_seconds: '0' }],
  [`${path}/end-overlap`, {}],
  [`${path}/delete`, { confirm: 'on' }],
];

export function webhooksSuite(shared: SharedService): void {
  describe('A webhook in the dashboard', () => {
    desk = new DashboardDesk(shared);
    beforeAll(async () => {
      shop = await startReceiver();
      developer = await signedIn(desk.service.query, desk.service.seed.organizationId, 'developer');
    });
    afterAll(() => shop.close());

    it('shows the secret of a new webhook once, and lists it with its health', async () => {
      const { path, secret } = await register();

      for (const page of [path, `${path}/settings`, '/app/webhooks', '/app/audit-log'])
        expect(await desk.textOf(page)).not.toContain(secret);
      const list = await desk.textOf('/app/webhooks', desk.viewer);
      for (const shown of [path, shop.url, 'Payments', 'Active', 'Healthy', '1–1 of 1'])
        expect(list).toContain(shown);
      expect(list).not.toContain('/app/webhooks/new');
    });

    it('shows a refused form again with its fields, and names the field', async () => {
      const { accountId: account_id } = desk.service.seed;
      const url = 'http://shop.example/hooks';
      const form = { account_id, url, event_type: 'refund', description: HOSTILE };

      const answer = await desk.post('/app/webhooks/new', form);

      const html = await answer.text();
      expect([answer.status, html]).toEqual([400, expect.stringContaining('id="url-problem"')]);
      expect(html).toContain(`value="${url}"`);
      expect(html).toMatch(/<option value="refund" selected|<option selected[^>]* value="refund"/);
      expect(html).toContain('&lt;img src=x');
    });

    it('sends a test, and logs its body and the answer', async () => {
      const { path } = await register();
      shop.answer = (_request, response) => response.writeHead(503).end();

      const tested = await desk.post(`${path}/test`, {}, { cookie: developer });

      shop.answer = (_request, response) => response.end();
      expect([tested.status, locationOf(tested)]).toEqual([303, `${path}?done=tested`]);
      const html = await desk.textOf(locationOf(tested)!, desk.viewer);
      for (const shown of ['Test sent', 'HTTP 503', 'Failed']) expect(html).toContain(shown);
      const [, opened] = /href="([^"]+\?attempt=[0-9a-f-]{36})">Test</.exec(html)!;
      expect(await desk.textOf(opened!, desk.viewer)).toContain('payment_request_status_update');
      expect(html).not.toContain('>Resend<');
      for (const page of [path, '/app/webhooks'])
        expect(await desk.textOf(page)).toContain('Last delivery failed');
    });

    it('resends a delivery, and filters the log of attempts', async () => {
      const { path } = await register();
      await desk.post(`${path}/test`, {}, { cookie: developer });
      const html = await desk.textOf(path, developer);
      const [, delivery] = /deliveries\/([0-9a-f-]{36})\/resend/.exec(html)!;
      const before = shop.requests.length;

      const resent = await desk.post(`${path}/deliveries/${delivery}/resend`, {}, { cookie: developer });

      expect(locationOf(resent)).toBe(`${path}?done=resent`);
      await eventually(
        async () => shop.requests.length,
        (now) => now > before,
      );
      await eventually(
        () => desk.textOf(`${path}?status=delivered`),
        (log) => log.includes('1–2 of 2'),
      );
      expect(await desk.textOf(`${path}?status=failed&from=&to=`)).toContain('No attempts match');
      expect((await desk.get(`${path}?status=none`)).status).toBe(400);
    });

    it('counts the events of a period, and replays them', async () => {
      const path = `${(await register()).path}/replay`;
      const range = { from: '2026-01-01T00:00', to: '2026-01-02T00:00' };
      const post = (form: Record<string, string>) => desk.post(path, form, { cookie: developer });

      const counted = await (await post({ ...range, act: 'count' })).text();
      const replayed = await post({ ...range, act: 'replay' });
      const refused = await post({ from: range.to, to: range.from, act: 'replay' });

      expect(counted).toContain('0 events in this period');
      expect(locationOf(replayed)).toBe(path.replace('/replay', '?done=replayed'));
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('id="to-problem"'),
      ]);
    });

    it('records each change in the audit log', async () => {
      const { path } = await register();

      const changed = await desk.post(`${path}/url`, { url: `${shop.url}/other` });
      await desk.madeBy(desk.post(`${path}/deactivate`));
      expect((await desk.post(`${path}/test`)).status).toBe(409);
      await desk.madeBy(desk.post(`${path}/activate`));
      expect((await desk.post(`${path}/delete`)).status).toBe(400);
      const deleted = await desk.post(`${path}/delete`, { confirm: 'on' });

      expect(locationOf(changed)).toBe(`${path}?done=url_changed`);
      expect(locationOf(deleted)).toBe('/app/webhooks?done=deleted');
      const gone = await desk.get(path);
      const unknown = await desk.get('/app/unknown');
      expect([gone.status, unknown.status]).toEqual([404, 404]);
      const pages = [await gone.text(), await unknown.text()];
      for (const html of pages) expect(html).toContain('This page does not exist or was deleted.');
      expect(pages.map((html) => html.includes('href="/app/payments"'))).toEqual([true, false]);
      const actions = (await desk.auditOf(path)).map((action) => action.replace('webhook.', ''));
      expect(actions).toEqual(['registered', 'url_changed', 'deactivated', 'activated', 'deleted']);
    });

    it('shows a rotated secret once, and rejects another rotation while the old secret signs', async () => {
      const { path, secret } = await register();

      const rotated = await desk.post(`${path}/rotate-secret`, { overlap_seconds: '3600' });

      const html = await oneTimeSecretStore(desk.service.apiUrl, rotated, desk.owner);
      expect(/whsec_[A-Za-z0-9]{44}/.exec(html)![0]).not.toBe(secret);
      expect((await desk.post(`${path}/rotate-secret`, { overlap_seconds: '0' })).status).toBe(409);
      expect((await desk.post(`${path}/end-overlap`)).status).toBe(303);
    });

    it('escapes the text of merchants', async () => {
      const { path } = await register(HOSTILE);

      for (const page of ['/app/webhooks', path, `${path}/settings`]) {
        const html = await desk.textOf(page);
        expect(html).not.toContain('<img');
        expect(html).not.toContain('<script>alert');
      }
    });

    it('is hidden from other organizations, on every page and form', async () => {
      const { path } = await register();
      const cookie = desk.stranger;

      for (const page of ['', '/settings', '/replay'])
        expect((await desk.get(path + page, cookie)).status).toBe(404);
      for (const [form, fields] of actionsOf(path))
        expect((await desk.post(form, fields, { cookie })).status).toBe(404);
      expect(await desk.textOf('/app/webhooks', cookie)).toContain('No webhooks yet.');
    });
  });
}
