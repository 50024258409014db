import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestProgressDto } from '../../src/contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { EventListDto } from '../../src/contexts/webhooks/infrastructure/events/http/events.dto.js';
import type {
  RegisteredWebhookDto,
  WebhookDto,
} from '../../src/contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { PageBody } from '../../src/shared/platform/http/answers/pagination.dto.js';
import { tokenOf } from '../../src/sandbox/payer/payer-wallet.js';
import { freePort } from '../../src/sandbox/processes/free-port.js';
import { eventually } from '../support/eventually.js';
import { faultsOfEvent } from '../support/event-schema.js';
import { InstalledClient, untilPrinted, type Started } from '../support/installed-client.js';
import { startTestService, type TestService } from '../support/service.js';

const ROOT = process.cwd();
const README = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8');
/** The lines of the first program there. */
const LINES = /## A shop in 15 lines\n\n```js\n(.*?)```/s.exec(README)![1]!;
const UNIT = 10n ** 6n;

let service: TestService;
let client: InstalledClient;
beforeAll(async () => {
  service = await startTestService({ wallet: true, settles: true });
  // Payments become final by themselves, as in a sandbox.
  await service.chain.rpc('evm_setIntervalMining', [1]);
  client = InstalledClient.install();
  const { apiUrl, seed, assets, environment } = service;
  client.write(
    'sandbox.json',
    JSON.stringify({
      ...{ api_url: apiUrl, api_key: seed.apiKey, api_secret: seed.apiSecret, account_id: seed.accountId },
      ...{ pos_id: seed.posId, native_pos_id: seed.nativePosId, networks: [{ assets }] },
      wallet_url: environment['CHECKOUT_SANDBOX_WALLET_URL'],
    }),
  );
});
afterAll(async () => {
  await client?.remove();
  await service?.stop();
});

const webhookPath = () => `/v1/account/${service.seed.accountId}/webhook`;
const webhooks = async () =>
  (await service.api.get<PageBody<WebhookDto>>(`${webhookPath()}/list?page=1&page_size=100`)).data;
const requestsOf = async (reference: string) =>
  (
    await service.api.get<PageBody<PaymentRequestProgressDto>>(
      `/v1/pos/${service.seed.posId}/payment-request?reference_id=${reference}`,
    )
  ).data;
const statusOf = (id: string) => () =>
  service.api
    .get<PaymentRequestProgressDto>(`/v1/pos/${service.seed.posId}/payment-request/${id}`)
    .then(({ status }) => status);

describe('The package, installed from its tarball', () => {
  it('has one dependency, and types that compile in a strict program', () => {
    const file = client.write(
      'shop.ts',
      `import { isPaid, PaymentCollectionClient, verifyWebhook, type Schemas } from 'payment-collection-client';
       const client = PaymentCollectionClient.fromEnvironment();
       const account: Schemas['Account'] = await client.get('/v1/account/{accountID}', {
         params: { path: { accountID: 'a' } },
       });
       const { data } = verifyWebhook({ body: '', headers: new Headers(), secret: 'whsec_' });
       if (data.notification_type === 'refund_status_update') console.log(data.refund_id.length, account.id);
       else console.log(isPaid(data.status));
       // @ts-expect-error no such operation
       await client.get('/v1/nothing');`,
    );
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];

    const said = execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...types, file],
      { cwd: client.folder, encoding: 'utf8' },
    );

    const installed = JSON.parse(
      readFileSync(join(client.folder, 'node_modules/payment-collection-client/package.json'), 'utf8'),
    ) as { dependencies: object };
    expect([said, Object.keys(installed.dependencies)]).toEqual(['', ['openapi-fetch']]);
  });

  it('collects a payment by the 15 lines of its README', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const webhook = await service.api.post<RegisteredWebhookDto>(webhookPath(), {
      url,
      event_type: 'payment_request',
    });
    const environment = {
      PAYMENT_COLLECTION_URL: service.apiUrl,
      PAYMENT_COLLECTION_API_KEY: service.seed.apiKey,
      PAYMENT_COLLECTION_API_SECRET: service.seed.apiSecret,
      POS_ID: service.seed.posId,
      ASSET_ID: service.assets[0]!.unique_asset_id,
      WEBHOOK_SECRET: webhook.secret,
      PORT: String(port),
    };
    expect(LINES.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    const file = client.write('shop.js', LINES);

    const shop = client.run([file], environment);
    await untilPrinted(shop, 'show as QR code naspip;');
    const [request] = await requestsOf('order-1042');
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
    expect([forged.status, (await requestsOf('order-1042')).length]).toEqual([401, 1]);
    await service.api.delete(`${webhookPath()}/${webhook.id}/delete`);
  });
});

describe('Its command line', () => {
  let listener: Started;
  const sandbox = ['--sandbox', 'sandbox.json'];
  const printed = ({ stdout }: Started) =>
    stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: string; data: Record<string, string> });

  beforeAll(async () => {
    listener = client.command('listen', '--port', '0', ...sandbox);
    await untilPrinted(listener, 'Listening on http://127.0.0.1:');
  });

  /** @returns the event that it printed */
  async function trigger(what: string) {
    const run = client.command('trigger', what, ...sandbox);
    expect([await run.ended, run.stderr()]).toEqual([0, expect.any(String)]);
    return printed(run)[0]!;
  }

  it.each([
    ['processing', 'payment_request_status_update'],
    ['completed', 'payment_request_status_update'],
    ['overpaid', 'payment_request_status_update'],
  ])('makes a webhook of %s arrive', async (status, notification_type) => {
    const { id, data } = await trigger(status);

    expect(data).toMatchObject({ status, notification_type });
    await eventually(() => printed(listener).some((one) => one.id === id));
  });

  it('has a signed example sent to the webhooks that it listens with', async () => {
    const before = printed(listener).length;

    await trigger('test');

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
  ])('makes an event of a %s', async (what, data) => {
    expect((await trigger(what)).data).toMatchObject(data);
  });

  it('pays a request by its id and by its token, and a checkout by its page', async () => {
    const { posId } = service.seed;
    const body = { amount: '3', unique_asset_id: service.assets[0]!.unique_asset_id };
    const create = (kind: string, given: object) =>
      service.api.post<{ id: string; token: string; hosted_checkout_url: string }>(
        `/v1/pos/${posId}/${kind}`,
        given,
      );
    const byId = await create('payment-request', body);
    const byToken = await create('payment-request', body);
    const checkout = await create('payment-request-checkout', { amount: '3', coin_code: 'USD' });

    for (const what of [byId.id, byToken.token, checkout.hosted_checkout_url]) {
      const run = client.command('pay', what, ...sandbox);
      expect([await run.ended, run.stderr()]).toEqual([0, expect.stringMatching(/wallet pays 3 \w+ to 0x/)]);
    }

    for (const { id } of [byId, byToken, checkout]) {
      await eventually(statusOf(id), (status) => status === 'completed');
    }
  });

  it.each([
    [['pay', 'nothing', ...sandbox], 'Give the id of a payment request'],
    [
      ['pay', '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44', ...sandbox],
      'The sandbox’s shop has no payment request',
    ],
    [['trigger', 'happiness'], 'There is no command trigger happiness.'],
    [['trigger', 'test'], 'baseUrl (PAYMENT_COLLECTION_URL) is missing.'],
    [
      ['listen', '--url', 'http://shop.example/hooks', '--port', '0', ...sandbox],
      'it wants a public https URL',
    ],
  ])('says what is wrong with %j', async (args, sentence) => {
    const run = client.command(...args);

    expect(await run.ended).toBe(1);
    expect(run.stderr().replaceAll("'", '’')).toContain(sentence);
    expect(run.stderr()).not.toMatch(/\n {4}at /);
  });

  it('takes its webhooks away at the end', async () => {
    expect((await webhooks()).map(({ event_type: type }) => type)).toEqual(['payment_request', 'refund']);

    listener.process.kill('SIGTERM');

    expect([await listener.ended, await webhooks()]).toEqual([0, []]);
  });
});

describe('What was told meanwhile', () => {
  it('is what the JSON Schema of events says, of every kind that happened', async () => {
    const { data: events } = await service.api.get<EventListDto>('/v1/events?limit=500');

    expect(events.map(({ body }) => faultsOfEvent(body)).filter(({ length }) => length > 0)).toEqual([]);
    expect(new Set(events.map(({ event_type: type }) => type))).toEqual(
      new Set(['payment_request', 'deposit', 'settlement', 'subscription']),
    );
  });
});
