import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { DashboardDesk, HOSTILE } from './dashboard-desk.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;

const RULE = { completed: 'on', weekly_report: 'on', every_minutes: '60', time_zone: 'Europe/Lisbon' };

/** A rule of the shop. @returns its path, and the token of its only recipient */
async function made(email: string) {
  const fields = { ...RULE, account_id: desk.service.seed.accountId, recipients: email };
  const path = await desk.madeBy(desk.post('/app/notices/new', fields));
  const [row] = await desk.service.query<{ token: string }>(
    'SELECT token FROM notices.recipients WHERE rule_id = $1 AND email = $2',
    [path.split('/').at(-1), email],
  );
  return { path, token: row!.token };
}

export function notificationsSuite(shared: SharedService): void {
  describe('Notification rules in the dashboard', () => {
    desk = new DashboardDesk(shared);
    // The suites after this one store rows that break invariants.
    afterAll(async () => {
      expect(await desk.service.breaches()).toEqual([]);
    });

    it('creates, changes and deletes a rule by forms', async () => {
      const wrong = { ...RULE, account_id: desk.service.seed.accountId, recipients: HOSTILE };
      const refused = await desk.post('/app/notices/new', wrong);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('must be an e-mail address'),
      ]);

      const { path } = await made('books@shop.example');
      expect(await desk.textOf(path)).toContain('Not confirmed');
      await desk.madeBy(desk.post(path, { ...RULE, refund: 'on', recipients: 'books@shop.example' }));
      expect(await desk.textOf('/app/notices', desk.viewer)).toContain(
        'Completed payments, refunds, weekly report',
      );
      expect(await desk.textOf(path, desk.viewer)).not.toContain('Save');
      await desk.expectRefusals(path, [path]);
      expect(await (await desk.post(`${path}/delete`)).text()).toContain('Tick the box');
      await desk.madeBy(desk.post(`${path}/delete`, { confirm: 'on' }));
      expect((await desk.get(path)).status).toBe(404);
    });

    it('adds, tests and removes a chat channel by forms', async () => {
      const { path } = await made('chat@shop.example');
      const wrong = await desk.post(`${path}/channel`, { kind: 'slack', address: 'http://10.0.0.1/hooks' });
      expect([wrong.status, await wrong.text()]).toEqual([
        400,
        expect.stringContaining('must begin with https'),
      ]);

      await desk.madeBy(
        desk.post(`${path}/channel`, { kind: 'slack', address: 'http://127.0.0.1:9/secret' }),
      );

      const page = await desk.textOf(path);
      expect(page).toContain('Slack, Mattermost or Discord');
      expect(page).not.toContain('secret');
      const channel = /[0-9a-f-]{36}\/channel\/[0-9a-f-]{36}/.exec(page)![0];
      const tested = await desk.post(`/app/notices/${channel}/test`);
      expect([tested.status, await tested.text()]).toEqual([409, expect.stringContaining('did not accept')]);
      await desk.madeBy(desk.post(`/app/notices/${channel}/delete`));
      expect(await desk.textOf(path)).toContain('No chat channels.');
    });

    it('mails an address between its confirmation and a one-click unsubscription', async () => {
      const { apiUrl } = desk.service;
      const { path, token } = await made('club@else.example');
      const page = `${apiUrl}/mail/${token}`;
      const confirm = (headers = {}) => fetch(`${page}/confirm`, { method: 'POST', headers });
      expect(await (await fetch(page)).text()).toContain('Receive these emails?');
      expect(await desk.textOf(path)).toContain('Not confirmed');

      await confirm();
      expect(await desk.textOf(path)).toContain('Subscribed');

      // RFC 8058 has both forms, and web mail programs send their own origin.
      const multipart = new FormData();
      multipart.set('List-Unsubscribe', 'One-Click');
      for (const body of [multipart, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })]) {
        const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
        const answer = await fetch(page, { method: 'POST', body, headers });
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('unsubscribed')]);
        expect(await desk.textOf(path)).toContain('Unsubscribed');
        await confirm();
      }
      expect((await fetch(`${apiUrl}/mail/${newId<string>()}`, { method: 'POST' })).status).toBe(404);
      expect((await confirm({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    });
  });
}
