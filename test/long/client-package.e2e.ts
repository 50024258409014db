import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { ClientWorld, printed, SANDBOX, signedHeaders } from '#test/support/client-world.js';
import { eventually } from '#test/support/eventually.js';
import { faultsOfEvent } from '#test/support/event-schema.js';
import { untilPrinted, type InstalledClient, type Started } from '#test/support/installed-client.js';
import type { TestService } from '#test/support/service.js';
import { STRICT_PROGRAM } from './client-package/strict-program.js';
import { pythonPackage } from './client-package/python.suite.js';

const ROOT = process.cwd();
const README = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8');
const LINES = /## A shop in 15 lines\n\n```js\n(.*?)```/s.exec(README)![1]!;
const UNIT = 10n ** 6n;
const FLOAT = /(0x[0-9a-fA-F]{40}) on sandbox lacks/;

let world: ClientWorld;
let service: TestService;
let client: InstalledClient;
beforeAll(async () => {
  world = await ClientWorld.start();
  ({ service, client } = world);
});
afterAll(() => world?.stop());

describe('The TypeScript package, installed from its tarball', () => {
  it('has one dependency, and types that compile in a strict program', async () => {
    expect([await client.compile(STRICT_PROGRAM), client.dependencies()]).toEqual(['', ['openapi-fetch']]);
  });

  it('passes every recorded case', async () => {
    const run = client.run([await client.writeBundled('run-all-cases'), join(ROOT, 'clients/cases')]);

    expect(await run.ended).toBe(0);
    expect(run.stdout() + run.stderr()).toMatch(/^\d{2,} cases, 0 failed\n$/);
  });

  it('collects a payment with the 15 lines of its README', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const webhook = await service.api.post<RegisteredWebhookDto>(world.webhookPath, {
      url,
      event_type: 'payment_request',
    });
    const environment = {
      ...world.credential,
      POS_ID: service.seed.posId,
      ASSET_ID: service.assets[0]!.unique_asset_id,
      WEBHOOK_SECRET: webhook.secret,
      PORT: String(port),
    };
    expect(LINES.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    const file = client.write('shop.js', LINES);

    const shop = client.run([file], environment);
    await untilPrinted(shop, 'show as QR code naspip;');
    const [request] = await world.requestsOf('order-1042');
    const units = (25n * UNIT) / 2n;
    await service.wallet.send(tokenOf(environment.ASSET_ID), request!.address as `0x${string}`, units);
    await untilPrinted(shop, 'order order-1042 is completed');
    await untilPrinted(shop, 'webhook order-1042 processing');
    await untilPrinted(shop, 'webhook order-1042 completed');
    const forged = await fetch(url, { method: 'POST', body: '{"data":{"status":"completed"}}' });
    shop.process.kill();
    // The same program once more: the order's number is the key, so nothing more is created.
    const again = client.run([file], { ...environment, PORT: String(await freePort()) });
    await untilPrinted(again, 'order order-1042 is completed');
    again.process.kill();

    const tokens = [shop, again].map((run) => /show as QR code (.*)/.exec(run.stdout())?.[1]);
    expect(tokens[1]).toBe(tokens[0]);
    expect([forged.status, (await world.requestsOf('order-1042')).length]).toEqual([401, 1]);
    await service.api.delete(`${world.webhookPath}/${webhook.id}/delete`);
  });
});

pythonPackage(() => world);

const portOf = (listener: Started) => /127\.0\.0\.1:(\d+)/.exec(listener.stderr())![1]!;

describe('The command line of the TypeScript package', () => {
  let listener: Started;

  beforeAll(async () => {
    listener = client.command('listen', '--port', '0', ...SANDBOX);
    await untilPrinted(listener, 'Listening on http://127.0.0.1:');
  });

  async function trigger(what: string) {
    const run = client.command('trigger', what, ...SANDBOX);
    expect([await run.ended, run.stderr()]).toEqual([0, expect.any(String)]);
    return printed(run)[0]!;
  }

  it.each(['completed', 'overpaid'])('triggers a webhook with the status %s', async (status) => {
    const { id, data } = await trigger(status);

    expect(data).toMatchObject({ status, notification_type: 'payment_request_status_update' });
    await eventually(() => printed(listener).some((one) => one.id === id));
  });

  it('triggers a signed example event to each of its webhooks', async () => {
    const before = printed(listener).length;

    // By the credential alone, which finds the account.
    expect(await client.commandBy(world.credential, 'trigger', 'test').ended).toBe(0);

    const news = await eventually(
      () => printed(listener).slice(before),
      ({ length }) => length >= 2,
    );
    expect(news.map(({ data }) => data['status'])).toEqual(['processing', 'processing']);
  });

  it.each([
    ['deposit', { notification_type: 'payment_request_deposit', reason: 'after_outcome', amount: '2' }],
    ['settlement', { notification_type: 'settlement_status_update', status: 'completed' }],
    ['subscription', { notification_type: 'subscription_status_update', status: 'pending' }],
  ])('triggers an event of a %s', async (what, data) => {
    expect((await trigger(what)).data).toMatchObject(data);
  });

  it('refunds a payment after the refund float named in the error is funded', async () => {
    // The first refusal has the float's contract deployed.
    const refusal = await eventually(
      async () => {
        const refused = client.command('trigger', 'refund', ...SANDBOX);
        return `${await refused.ended}: ${refused.stderr()}`;
      },
      (message) => FLOAT.test(message),
    );
    expect(refusal).toMatch(/^1: .*\(refund_float_insufficient\) Top up the refund float/s);
    await world.fillFloat(FLOAT.exec(refusal)![1] as `0x${string}`);

    const { data } = await trigger('refund');

    expect(data).toMatchObject({ notification_type: 'refund_status_update' });
    await eventually(() => printed(listener).some((one) => one.data['refund_id'] === data['refund_id']));
  });

  it('pays a request by id or token, and a checkout and a payment link by URL', async () => {
    const { posId } = service.seed;
    const body = { amount: '3', unique_asset_id: service.assets[0]!.unique_asset_id };
    const create = (kind: string, given: object) =>
      service.api.post<{ id: string; token: string; hosted_checkout_url: string; url: string }>(
        `/v1/pos/${posId}/${kind}`,
        given,
      );
    const byId = await create('payment-request', body);
    const byToken = await create('payment-request', body);
    const checkout = await create('payment-request-checkout', { amount: '3', coin_code: 'USD' });

    const link = await create('payment-link', { amount: '3', coin_code: 'USD' });

    for (const what of [byId.id, byToken.token, checkout.hosted_checkout_url, link.url]) {
      const run = client.command('pay', what, ...SANDBOX);
      expect([await run.ended, run.stderr()]).toEqual([0, expect.stringMatching(/wallet pays 3 \w+ to 0x/)]);
    }

    const path = `/v1/pos/${posId}/payment-request?page=1&page_size=1`;
    const { data } = await service.api.get<PageBody<PaymentRequestProgressDto>>(path);
    expect(data).toMatchObject([{ payment_link_id: link.id }]);
    for (const { id } of [byId, byToken, checkout, ...data]) {
      await eventually(
        () => world.statusOf(id),
        (status) => status === 'completed',
      );
    }
  });

  it('pays half of a request, which is underpaid after its window', async () => {
    const run = client.command('trigger', 'underpaid', ...SANDBOX);
    expect([await run.ended, run.stderr()]).toEqual([0, expect.stringContaining('becomes underpaid')]);
    const [, id] = /Payment request (\S+) becomes/.exec(run.stderr())!;
    await eventually(
      () => world.statusOf(id!),
      (status) => status === 'processing',
    );

    await service.advance(600);

    await eventually(() => printed(listener).some(({ data }) => data['status'] === 'underpaid'));
  });

  it('verifies deliveries of another webhook with only its secret', async () => {
    const secret = `whsec_${'Ab1'.repeat(14)}Zz`;
    const bare = client.command('listen', '--port', '0', '--secret', secret);
    await untilPrinted(bare, 'Listening on');
    const body = JSON.stringify({ data: { notification_type: 'refund_status_update' } });
    const headers = signedHeaders(secret, 'event-1', body);
    const post = async (given: string) =>
      (await fetch(`http://127.0.0.1:${portOf(bare)}/`, { method: 'POST', body: given, headers })).status;

    expect([await post(body), await post(`${body} `)]).toEqual([200, 401]);

    bare.process.kill('SIGINT');
    expect([await bare.ended, printed(bare).map(({ id }) => id)]).toEqual([0, ['event-1']]);
    expect(bare.stderr()).toContain('Refused: No signature');
  });

  it('removes its webhooks at its end, and those of a killed run at its start', async () => {
    const port = portOf(listener);
    listener.process.kill('SIGKILL');
    await listener.ended;

    listener = client.command('listen', '--port', port, ...SANDBOX);
    await untilPrinted(listener, 'Listening on');
    const types = (await world.webhooks()).map(({ event_type: type }) => type);
    listener.process.kill('SIGTERM');

    expect(types).toEqual(['payment_request', 'refund']);
    expect([await listener.ended, await world.webhooks()]).toEqual([0, []]);
  });
});

describe('The event list', () => {
  it('matches the JSON Schema of events for every type of event', async () => {
    const { data: events } = await service.api.get<EventListDto>('/v1/events?limit=500');

    expect(events.map(({ body }) => faultsOfEvent(body)).filter(({ length }) => length > 0)).toEqual([]);
    expect(new Set(events.map(({ event_type: type }) => type))).toEqual(
      new Set(['payment_request', 'incoming_transfer', 'deposit', 'refund', 'settlement', 'subscription']),
    );
  });
});
