import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { anotherOrganization } from '../../support/another-organization.js';
import { DashboardPerson } from '../../support/dashboard-person.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const HOSTILE = `"><img src=x onerror=alert(1)>`;
const ETHER = 10n ** 18n;
const UNIT = 10n ** 6n;
const PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
type Address = `0x${string}`;

let service: TestService;
let operator: OperatorCommandRunner;
let anna: DashboardPerson;
let codes: string[];
/** A payment of 1 USDC that has ended, with its order id. */
let payment: string;

async function paid(): Promise<string> {
  const { unique_asset_id } = service.assets[0]!;
  const { id, address } = await service.api.post<{ id: string; address: Address }>(
    `/v1/pos/${service.seed.posId}/payment-request`,
    { amount: '1', unique_asset_id, reference_id: HOSTILE },
  );
  await service.wallet.mined(await service.wallet.send(tokenOf(unique_asset_id), address, UNIT));
  await service.chain.mine(6);
  const text = 'SELECT FROM payments.payment_requests WHERE id = $1 AND confirmed_at IS NOT NULL';
  await eventually(
    () => service.query(text, [id]),
    (rows) => rows.length > 0,
  );
  return id;
}

/** The refusal names the address. */
async function fundFloat(): Promise<void> {
  const { unique_asset_id } = service.assets[0]!;
  const refused = () =>
    service.api
      .post(`/v1/refunds/payment-request/${payment}`, { refund_to_address: PAYER })
      .then(() => '', String);
  const message = await eventually(refused, (message) => /0x[0-9a-fA-F]{40} on sandbox lacks/.test(message));
  const address = /0x[0-9a-fA-F]{40}/.exec(message)![0] as Address;
  await service.wallet.mined(await service.wallet.send(tokenOf(unique_asset_id), address, 100n * UNIT));
  await service.wallet.mined(await service.wallet.send(NATIVE_COIN, address, 5n * ETHER));
  await service.chain.mine(6);
  await eventually(
    () => service.query('SELECT FROM settlement.refund_float_holdings WHERE topped_up > 0'),
    (rows) => rows.length === 2,
  );
}

function ownRefunds(): Promise<{ id: string }[]> {
  return service.query('SELECT id FROM settlement.refunds WHERE organization_id = $1', [
    service.seed.organizationId,
  ]);
}

async function audited(id: string): Promise<string[]> {
  const entries = await service.query<{ action: string }>(
    `SELECT action FROM identity.audit_log WHERE subject_id = $1 AND actor = 'anna@shop.example' AND address = '127.0.0.1'
     ORDER BY position`,
    [id],
  );
  return entries.map(({ action }) => action);
}

async function post(path: string, form: Record<string, string> = {}) {
  const answer = await anna.post(path, form);
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
}

async function as(cookie: string, path: string, form?: Record<string, string>) {
  const init = { method: 'POST', body: new URLSearchParams(form).toString() };
  const answer = await fetch(service.apiUrl + path, {
    ...(form === undefined ? {} : init),
    headers: { cookie, ...(form === undefined ? {} : OWN_FORM) } as Record<string, string>,
    redirect: 'manual',
  });
  return { status: answer.status, html: await answer.text() };
}

/** A refund that waits for the payer's address. @returns its id */
async function claim(amount: string, reason = 'Returned goods'): Promise<string> {
  const { location } = await post('/app/refunds/new', {
    payment_request_id: payment,
    ...{ refund_to_address: '', amount, reason, code: codes.pop()! },
  });
  const html = await anna.text(location!);
  expect(html).toMatch(/\/refund\/[\w-]{20,}</);
  return /\/app\/refunds\/([0-9a-f-]{36})"/.exec(html)![1]!;
}

export function refundsSuite(shared: SharedService): void {
  describe('Refunds in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
      anna = new DashboardPerson(service.apiUrl);
      const invitation = ['--organization', service.seed.organizationId, '--email', 'anna@shop.example'];
      const { link } = await operator.run<{ link: string }>('owner', 'invite', ...invitation);
      codes = await anna.join(link, 'kettle harbour lantern seven');
      payment = await paid();
      await fundFloat();
    });
    afterAll(async () => {
      await operator?.close();
    });

    describe('A refund', () => {
      it('is not created by a refused form, which uses up no code', async () => {
        expect(await anna.text('/app/refunds')).toContain('No refunds yet.');
        const code = codes.at(-1)!;
        const typed = { payment_request_id: payment, refund_to_address: PAYER, reason: HOSTILE };

        const wrongAmount = await post('/app/refunds/new', { ...typed, amount: '1,500', code });
        const wrongCode = await post('/app/refunds/new', { ...typed, amount: '0.5', code: '000000' });

        expect([wrongAmount.status, wrongCode.status]).toEqual([400, 400]);
        for (const shown of ['id="amount-problem"', 'value="1,500"', `value="${PAYER}"`])
          expect(wrongAmount.html).toContain(shown);
        expect(wrongAmount.html).not.toContain('<img');
        expect(wrongAmount.html).not.toContain(code);
        expect(wrongCode.html).toContain('id="code-problem"');
        expect(await ownRefunds()).toEqual([]);
      });

      it('is for a payment that is found by its order number or chosen by the beginning of it', async () => {
        const choose = (typed: string) => anna.get(`/app/refunds/new?payment=${encodeURIComponent(typed)}`);
        const found = await choose(HOSTILE);

        expect(await (await choose(HOSTILE.slice(0, 3))).text()).toContain(
          `/app/refunds/new?payment_request_id=${payment}`,
        );
        expect([found.status, found.headers.get('location')]).toEqual([
          303,
          `/app/refunds/new?payment_request_id=${payment}`,
        ]);
        expect(await (await choose('unknown')).text()).toContain('No payment requests match.');
      });

      it('is paid to an address immediately, for a code that works once', async () => {
        const form = visible(await anna.text(`/app/refunds/new?payment_request_id=${payment}`));
        const typed = { payment_request_id: payment, refund_to_address: PAYER, amount: '0.25', reason: '' };
        const code = codes.pop()!;

        const created = await post('/app/refunds/new', { ...typed, code });
        const again = await post('/app/refunds/new', { ...typed, code });

        expect(form).toContain('1.00 USDC');
        expect(created.location).toMatch(/^\/app\/refunds\/[0-9a-f-]{36}\?done=created$/);
        expect([again.status, again.html.includes('code-problem')]).toEqual([400, true]);
        const text = visible(await anna.text(created.location!));
        for (const shown of ['created and approved', '0.25 USDC', PAYER, 'anna@shop.example', 'Sandbox'])
          expect(text).toContain(shown);
        const [refund, ...others] = await ownRefunds();
        expect(others).toEqual([]);
        expect(await audited(refund!.id)).toEqual(['refund.created']);
      });

      it('waits for the address of the payer, and then for an approval with another code', async () => {
        const id = await claim('0.1');
        const early = await post(`/app/refunds/${id}/approve`, { code: codes.at(-1)! });
        await service.query(
          'UPDATE settlement.refunds SET to_address = $2, claimed_at = platform.now() WHERE id = $1',
          [id, PAYER.toLowerCase()],
        );

        const without = await post(`/app/refunds/${id}/approve`);
        const approved = await post(`/app/refunds/${id}/approve`, { code: codes.pop()! });

        expect([early.status, without.status]).toEqual([409, 400]);
        expect(without.html).toContain('id="code-problem"');
        expect(approved.location).toBe(`/app/refunds/${id}?done=approved`);
        expect(await audited(id)).toEqual(['refund.created', 'refund.approved']);
        await eventually(
          () => service.query('SELECT FROM networks.sendings WHERE id = $1', [id]),
          (rows) => rows.length === 1,
        );
        expect((await post(`/app/refunds/${id}/cancel`)).status).toBe(409);
      });

      it('has a new link for the payer after the first one was lost, for another code', async () => {
        const id = await claim('0.1');
        const path = `/app/refunds/${id}/claim`;

        const without = await post(path);
        const replaced = await post(path, { code: codes.pop()! });

        expect([without.status, without.html.includes('id="code-problem"')]).toEqual([400, true]);
        expect(replaced.location).toBe(path);
        const [link] = /\/refund\/[\w-]{20,}/.exec(await anna.text(path))!;
        expect((await fetch(service.apiUrl + link)).status).toBe(200);
        expect((await anna.get(path)).headers.get('location')).toBe(`/app/refunds/${id}?done=shown`);
        expect(await audited(id)).toEqual(['refund.created', 'refund.claim_replaced']);
      });

      it('is cancelled while it waits, and listed by its status', async () => {
        const id = await claim('0.1', HOSTILE);

        expect((await post(`/app/refunds/${id}/cancel`)).location).toBe(`/app/refunds/${id}?done=cancelled`);
        expect((await post(`/app/refunds/${id}/cancel`)).status).toBe(409);

        expect(await audited(id)).toEqual(['refund.created', 'refund.cancelled']);
        const list = await anna.text('/app/refunds?status=failed&payment=');
        expect(list).toContain('1–1 of 1');
        expect(list).toContain(`/app/refunds/${id}`);
        expect(list).not.toContain('<img');
        expect(await anna.text('/app/refunds?payment=x')).toContain('No refunds match these filters.');
      });

      it('is hidden from other organizations, on every page and form', async () => {
        const [{ id } = { id: '' }] = await ownRefunds();
        const stranger = await anotherOrganization(service.query, service.seed.organizationId);
        const cookie = await signedIn(service.query, stranger, 'owner');

        expect((await as(cookie, '/app/refunds')).html).toContain('No refunds yet.');
        for (const [path, form] of [
          [`/app/refunds/${id}`],
          [`/app/refunds/new?payment_request_id=${payment}`],
          [`/app/refunds/${id}/claim`, { code: '1' }],
          [`/app/refunds/${id}/approve`, { code: '1' }],
          [`/app/refunds/${id}/cancel`, {}],
          ['/app/refunds/new', { payment_request_id: payment, code: '1' }],
        ] as [string, Record<string, string>?][])
          expect([path, (await as(cookie, path, form)).status]).toEqual([path, 404]);
      });
    });
  });
}
