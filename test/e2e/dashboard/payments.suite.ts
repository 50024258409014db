import { beforeAll, describe, expect, it } from '@jest/globals';
import { formatAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { DashboardPerson } from '#test/support/dashboard-person.js';
import { OWN_FORM, signedIn } from '#test/support/dashboard-session.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const HOSTILE = '"><img src=x onerror=alert(1)>';

interface Created {
  readonly id: string;
  readonly address: `0x${string}`;
}

let service: TestService;
let viewer: DashboardPerson;
let paid: Created & { hash: string };
let unpaid: Created;
/** In full. */
let booked: Created;

async function personOf(organizationId: string): Promise<DashboardPerson> {
  const cookie = await signedIn(service.query, organizationId, 'viewer');
  const person = new DashboardPerson(service.apiUrl);
  const [name, value] = cookie.split('=') as [string, string];
  person.set(name, value);
  return person;
}

async function create(reference_id: string): Promise<Created> {
  const [asset] = service.assets;
  const body = {
    amount: formatAmount(12_500_000n, 6),
    unique_asset_id: asset!.unique_asset_id,
    reference_id,
  };
  return service.api.post<Created>(`/v1/pos/${service.seed.posId}/payment-request`, body);
}

/** The webhook's deliveries are answered with 404 by this service's own API. */
async function registerWebhook(): Promise<void> {
  const owner = await signedIn(service.query, service.seed.organizationId, 'owner');
  const form = {
    account_id: service.seed.accountId,
    url: `${service.apiUrl}/nowhere`,
    event_type: 'payment_request',
    description: '',
  };
  const answer = await fetch(`${service.apiUrl}/app/webhooks/new`, {
    method: 'POST',
    headers: { cookie: owner, ...OWN_FORM },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
}

const locationOf = (answer: Response) => answer.headers.get('location');

/** The network of the service has the explorer `https://scan.example/`. */
export function paymentsSuite(shared: SharedService): void {
  describe('Payments in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      viewer = await personOf(service.seed.organizationId);
      const made = await create('order-1');
      unpaid = await create(HOSTILE);
      const hash = await service.wallet.send(
        tokenOf(service.assets[0]!.unique_asset_id),
        made.address,
        5_000_000n,
      );
      paid = { ...made, hash };
      await service.chain.mine(6);
      await eventually(
        () => viewer.text(`/app/payments/${made.id}`),
        (page) => page.includes('underpaid') || page.includes('Short') || page.includes(hash),
      );
    });

    it('are listed newest first, with their amounts', async () => {
      const page = await viewer.text('/app/payments');

      expect(page.indexOf(unpaid.id)).toBeLessThan(page.indexOf(paid.id));
      expect(visible(page)).toContain('12.50 USDC');
    });

    it('are filtered by what stands in the URL', async () => {
      const shown = async (query: string) => {
        const page = await viewer.text(`/app/payments?${query}`);
        return [paid, unpaid].map(({ id }) => page.includes(`/app/payments/${id}"`));
      };

      expect(await shown('reference=order-1')).toEqual([true, false]);
      expect(await shown('status=created')).toEqual([false, true]);
      expect(await shown('to=2020-01-01')).toEqual([false, false]);
      expect(await shown(`pos=${service.seed.posId}`)).toEqual([true, true]);
    });

    it.each([
      ['status=nonsense', 'status', 'must be one of: pending, created'],
      ['from=2026-02-30', 'from', 'must be a day such as 2030-01-31'],
      ['from=2026-02-02&to=2026-02-01', 'to', 'must not be before the first day.'],
      ['pos=nowhere', 'pos', 'matches no point of sale: nowhere'],
    ])(
      'are not listed by a filter that cannot be read, which is named with its rule: %s',
      async (query, field, rule) => {
        const answer = await viewer.get(`/app/payments?${query}&reference=kept`);
        const page = await answer.text();

        expect(answer.status).toBe(400);
        expect(page).toMatch(new RegExp(`id="${field}-problem">${rule}`));
        expect(page).toContain('value="kept"');
      },
    );

    it('show in order of time what the ledger and webhooks did about them', async () => {
      await registerWebhook();
      booked = await create('order-2');
      const { id, address } = booked;
      await service.wallet.send(tokenOf(service.assets[0]!.unique_asset_id), address, 12_500_000n);
      await service.chain.mine(6);

      const page = await eventually(
        () => viewer.text(`/app/payments/${id}`),
        (shown) => /Ledger: incoming payment/.test(shown) && /HTTP 404\), attempt 1/.test(shown),
      );

      expect(page).toContain('How this was paid');
      expect(page).toMatch(/href="[^"]+\/receipt\/[\w-]+">View receipt/);
      const timeline = page.slice(page.indexOf('class="timeline"'));
      const times = [...timeline.matchAll(/datetime="([^"]+)"/gi)].map(([, at]) => at!).slice(0, 6);
      expect(times).toEqual([...times].sort());
      expect(timeline).toMatch(
        /href="\/app\/webhooks\/[0-9a-f-]{36}">Webhook delivery failed \(HTTP 404\), attempt 1/,
      );
      expect(timeline).toContain('href="/app/transactions">Ledger: incoming payment</a>');
      expect(visible(timeline)).toContain('Ledger: incoming payment 12.50 USDC');
      expect(await viewer.text(`/app/payments/${unpaid.id}`)).not.toContain('Ledger: incoming payment');
    });

    it.each(['id', 'reference', 'address', 'hash'])('are found at once by %s', async (by) => {
      const typed = {
        id: paid.id,
        reference: 'order-1',
        address: paid.address.toUpperCase().replace('0X', '0x'),
        hash: paid.hash,
      };

      const answer = await viewer.get(
        `/app/search?q=${encodeURIComponent(` ${typed[by as keyof typeof typed]} `)}`,
      );

      expect(locationOf(answer)).toBe(`/app/payments/${paid.id}`);
    });

    it('are searched beside other things that have an id, each of which leads to its page', async () => {
      const [transaction] = await eventually(
        () =>
          service.query<{ id: string; of: string }>(
            'SELECT id, payment_request_id AS of FROM ledger.transactions WHERE payment_request_id = $1',
            [booked.id],
          ),
        (rows) => rows.length === 1,
      );
      const [delivery] = await service.query<{ id: string; webhook_id: string }>(
        'SELECT id, webhook_id FROM webhooks.deliveries WHERE account_id = $1 LIMIT 1',
        [service.seed.accountId],
      );
      const whither = async (id: string) => locationOf(await viewer.get(`/app/search?q=${id}`));

      expect(await whither(transaction!.id.toUpperCase())).toBe(`/app/payments/${booked.id}`);
      expect(await whither(delivery!.id)).toBe(`/app/webhooks/${delivery!.webhook_id}`);
      expect(await whither(delivery!.webhook_id)).toBe(`/app/webhooks/${delivery!.webhook_id}`);
      expect(await whither(service.seed.posId)).toBe(`/app/points-of-sale/${service.seed.posId}`);
    });

    it.each(['code', 'id'])('find a payment link by its %s', async (by) => {
      const { id, code } = await service.api.post<{ id: string; code: string }>(
        `/v1/pos/${service.seed.posId}/payment-link`,
        { amount: '5', coin_code: 'USD' },
      );

      expect(locationOf(await viewer.get(`/app/search?q=${by === 'id' ? id : code}`))).toBe(
        `/app/links/${id}`,
      );
    });

    it.each(['id', 'code', 'reference', 'wallet'])('find a subscription by its %s', async (by) => {
      const reference_id = `member of ${by}`;
      const { id, url } = await service.api.post<{ id: string; url: string }>(
        `/v1/pos/${service.seed.posId}/subscription`,
        {
          ...{
            amount: '5',
            unique_asset_id: service.assets[0]!.unique_asset_id,
            interval: 'P1M',
            reference_id,
          },
        },
      );
      const wallet_external_id = `wallet of ${by}`;
      await service.api.post(`/v1/wallets/v1/subscriptions/${id}/accept`, { wallet_external_id });
      const typed = { id, code: url.split('/').at(-1)!, reference: reference_id, wallet: wallet_external_id };

      const answer = await viewer.get(`/app/search?q=${encodeURIComponent(typed[by as keyof typeof typed])}`);

      expect(locationOf(answer)).toBe(`/app/subscriptions/${id}`);
    });

    it.each(['id', 'external_id', 'name'])('find an account by its %s', async (by) => {
      const account = { name: `Branch by ${by}`, external_id: `branch-${by}` };
      const { id } = await service.api.post<{ id: string }>('/v1/account', account);
      const typed = { id, ...account }[by as keyof typeof account];

      expect(locationOf(await viewer.get(`/app/search?q=${encodeURIComponent(typed)}`))).toBe(
        `/app/accounts/${id}`,
      );
    });

    it('are listed where a reference is of several', async () => {
      const twins = [await create('twin'), await create('twin')];

      const page = await viewer.text('/app/search?q=twin');

      for (const { id } of twins) expect(page).toContain(`href="/app/payments/${id}"`);
    });

    it('say why they are not paid, with each transfer', async () => {
      const page = await viewer.text(`/app/payments/${paid.id}`);

      expect(page).toContain('Why this is not paid');
      expect(page).toContain(`href="https://scan.example/tx/${paid.hash}"`);
      expect(page).toContain(paid.hash);
      expect(visible(page)).toContain('5.00 USDC');
    });

    it('show what merchants write as text', async () => {
      for (const path of [
        '/app/payments',
        `/app/payments/${unpaid.id}`,
        `/app/search?q=${encodeURIComponent(HOSTILE)}x`,
      ]) {
        const page = await viewer.text(path);
        expect(page).not.toContain('<img');
        expect(page).toContain('onerror');
      }
    });

    it('are nobody else’s', async () => {
      const [{ id }] = (await service.query<{ id: string }>(
        `INSERT INTO identity.organizations (id, name, created_at, updated_at)
         VALUES (gen_random_uuid(), 'Others', now(), now()) RETURNING id`,
      )) as [{ id: string }];
      const other = await personOf(id);

      expect((await other.get(`/app/payments/${paid.id}`)).status).toBe(404);
      expect((await other.get(`/app/payments?pos=${service.seed.posId}`)).status).toBe(400);
      expect(await other.text('/app/payments')).toContain('No payment requests yet.');
      for (const typed of [
        paid.id,
        'order-1',
        paid.address,
        paid.hash,
        service.seed.posId,
        'branch-id',
        'wallet of id',
      ])
        expect(await other.text(`/app/search?q=${typed}`)).toContain('No results');
    });
  });
}
