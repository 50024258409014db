import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '../../src/contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '../../src/contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { ReadinessAnswer } from '../../src/app/health/judge-readiness.js';
import { decode } from '../../src/shared/naspip/naspip-token.js';
import { parseAmount } from '../../src/shared/kernel/amount.js';
import { tokenOf } from '../../src/sandbox/payer/payer-wallet.js';
import { WebhookReceiver } from '../../src/sandbox/demonstration/webhook-receiver.js';
import { metricsOfRole } from '../support/exported-metrics.js';
import { eventually } from '../support/eventually.js';
import { Scrape } from '../support/scrape.js';
import { SmtpReceiver } from '../support/smtp-receiver.js';
import { SecretiveMerchant } from '../support/secretive-merchant.js';
import { secretsIn } from '../support/logged-secrets.js';
import { TraceReceiver } from '../support/trace-receiver.js';
import { startTestService, type TestService } from '../support/service.js';
import { KeysFile, TokenCaller } from '../support/token-caller.js';
import { WithholdingProxy } from '../support/withholding-proxy.js';

const DIST = join(process.cwd(), 'dist');
const filesOf = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.js'));
const CONFIRMATIONS = 5;
const DRAIN_SECONDS = 4;

const keys = new KeysFile(join(mkdtempSync(join(tmpdir(), 'observing-')), 'signing-keys.json'));

/** What stands in settings, so that no log may have it. */
const [RPC_KEY, SMTP_PASSWORD, RECEIVER_KEY] = [1, 2, 3].map(() => randomBytes(12).toString('hex')) as [
  string,
  string,
  string,
];

const smtp = new SmtpReceiver();
const traces = new TraceReceiver();
let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  await keys.create('token');
  await keys.create('naspip');
  [service, receiver] = await Promise.all([
    startTestService({
      exportsMetrics: true,
      settles: true,
      ownsNothing: true,
      rpcUrls: async (nodeUrl) => [`${nodeUrl}/?apikey=${RPC_KEY}`],
      settings: {
        DRAIN_SECONDS: String(DRAIN_SECONDS),
        SIGNING_KEYS_FILE: keys.path,
        LOG_LEVEL: 'trace',
        OTEL_EXPORTER_OTLP_ENDPOINT: await traces.listen(),
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${RECEIVER_KEY}`,
        OTEL_SERVICE_NAME: 'observed',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@127.0.0.1:${await smtp.listen()}`,
      },
    }),
    WebhookReceiver.listen(),
  ]);
  const path = `/v1/account/${service.seed.accountId}/webhook`;
  const body = { url: receiver.url, event_type: 'payment_request' };
  receiver.secret = (await service.api.post<RegisteredWebhookDto>(path, body)).secret;
});
afterAll(async () => {
  smtp.close();
  traces.close();
  await receiver?.close();
  await service?.stop();
  rmSync(dirname(keys.path), { recursive: true });
});

const scrape = (part: 'api' | 'worker') => Scrape.of(service.metricsPorts[part]);

async function ready(url = service.apiUrl): Promise<{ status: number; answer: ReadinessAnswer }> {
  const response = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
  return { status: response.status, answer: (await response.json()) as ReadinessAnswer };
}

describe('The health of the API', () => {
  it('is live, to anybody', async () => {
    const response = await fetch(`${service.apiUrl}/health/live`);

    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('is ready once a worker reads its network, each part with its state', async () => {
    const { answer, status } = await eventually(
      ready,
      // Its limit is stored with the watcher's first turn.
      ({ status, answer }) => status === 200 && answer.networks[0]?.max_lag_seconds != null,
    );

    expect(status).toBe(200);
    expect(answer).toEqual({
      status: 'ready',
      problems: [],
      process: { state: 'serving' },
      database: { state: 'ok' },
      worker: { state: 'ok', seconds_since_turn: expect.any(Number) },
      networks: [
        {
          network: 'sandbox',
          state: 'ok',
          block: expect.any(Number),
          seconds_behind: expect.any(Number),
          max_lag_seconds: 86_400,
        },
      ],
    });
    expect(answer.worker.seconds_since_turn).toBeLessThan(10);
  });

  it('is live and not ready without its database, and says which part is missing', async () => {
    const proxy = await WithholdingProxy.open(service.databaseUrl);
    const api = await service.killableApi(proxy.url);
    await eventually(
      () => ready(api.url),
      ({ status }) => status === 200,
    );

    proxy.close();
    const { answer } = await eventually(
      () => ready(api.url),
      ({ status }) => status === 503,
    );
    const live = await fetch(`${api.url}/health/live`);
    api.kill();

    expect(answer).toMatchObject({
      status: 'not_ready',
      problems: ['The database does not answer.'],
      database: { state: 'unreachable' },
    });
    expect(live.status).toBe(200);
  });
});

describe('Metrics', () => {
  it('are those that the code registers, in each process', async () => {
    for (const part of ['api', 'worker'] as const) {
      const found = await scrape(part);
      const registered = (await metricsOfRole(part)).map(({ name }) => name);

      expect(registered.filter((name) => !found.families.has(name))).toEqual([]);
      expect(found.families).toContain('process_cpu_seconds_total');
      expect(found.value('payment_collection_database_up')).toBe(1);
      expect(found.sum('payment_collection_process_info', { role: part })).toBe(1);
    }
  });

  it('count a payment from its request to its webhook', async () => {
    const [apiBefore, workerBefore] = [await scrape('api'), await scrape('worker')];
    const usdc = service.assets[0]!;
    const body = { amount: '12.5', unique_asset_id: usdc.unique_asset_id, reference_id: 'observed' };
    const path = `/v1/pos/${service.seed.posId}/payment-request`;
    const request = await service.api.post<PaymentRequestDto>(path, body);
    const units = BigInt(parseAmount('12.5', usdc.decimals));
    const token = tokenOf(usdc.unique_asset_id);
    await service.wallet.mined(await service.wallet.send(token, request.address as `0x${string}`, units));
    await service.chain.mine(CONFIRMATIONS);
    await eventually(
      () => service.api.get<{ status: string }>(`${path}/${request.id}`),
      ({ status }) => status === 'completed',
    );
    const grown = async (part: 'api' | 'worker', before: Scrape, name: string, labels: object) =>
      (await scrape(part)).sum(name, labels) - before.sum(name, labels);
    const status = 'payment_collection_payment_request_status_changes_total';
    const attempts = 'payment_collection_webhook_attempts_total';
    const delivered = () => grown('worker', workerBefore, attempts, { outcome: 'delivered' });

    expect(await grown('api', apiBefore, status, { status: 'created' })).toBe(1);
    expect(await grown('worker', workerBefore, status, { status: 'completed' })).toBe(1);
    expect(await grown('api', apiBefore, status, { status: 'completed' })).toBe(0);
    expect(await eventually(delivered, (count) => count >= 2)).toBe(2);
    const route = '/v1/pos/:posID/payment-request';
    const served = { method: 'POST', route, status_class: '2xx' };
    const requests = 'payment_collection_http_requests_total';
    const durations = 'payment_collection_http_request_duration_seconds_count';
    expect(await grown('api', apiBefore, requests, served)).toBe(1);
    expect(await grown('api', apiBefore, durations, { method: 'POST', route })).toBe(1);
  });

  it('name no path that a caller has written', async () => {
    await fetch(`${service.apiUrl}/nowhere/0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90`);

    const found = await scrape('api');

    expect(found.sum('payment_collection_http_requests_total', { route: 'unmatched' })).toBeGreaterThan(0);
    expect(found.text).not.toContain('nowhere');
  });

  it('tell of the network, the event log, due work, the gas key and the pool', async () => {
    // Settlements mine blocks too, so that the head moves on for a moment.
    let head = 0;
    const read = async () => {
      head = Number(await service.chain.rpc<string>('eth_blockNumber'));
      return scrape('worker');
    };
    const settled = (found: Scrape) =>
      found.value('payment_collection_network_head_block') === head &&
      found.value('payment_collection_network_lag_blocks') === 0 &&
      found.value('payment_collection_gas_key_low') !== undefined &&
      found.sum('payment_collection_event_subscriber_lag_seconds', {}) === 0;
    const found = await eventually(read, settled);

    expect(found.value('payment_collection_network_watched')).toBe(1);
    expect(found.value('payment_collection_network_max_lag_seconds')).toBe(86_400);
    expect(found.value('payment_collection_event_log_position')).toBeGreaterThan(0);
    const parked = { subscriber: 'webhooks' };
    expect(found.sum('payment_collection_event_subscriber_parked_events', parked)).toBe(0);
    expect(found.sum('payment_collection_due_work', { kind: 'webhook_delivery' })).toBe(0);
    expect(found.value('payment_collection_gas_key_low')).toBe(0);
    expect(found.value('payment_collection_gas_key_balance_wei')).toBeGreaterThan(1e15);
    expect(found.value('payment_collection_database_pool_max_connections')).toBe(10);
    expect(found.value('payment_collection_database_pool_waiting')).toBe(0);
    expect((await scrape('api')).value('payment_collection_ready')).toBe(1);
  });

  it('are served on the loopback address alone, and nothing else is served there', async () => {
    const port = service.metricsPorts.api;
    const answers = await Promise.all(
      ['/', '/health', '/metrics/../v1/account'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status),
      ),
    );
    expect(answers).toEqual([404, 404, 404]);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${service.apiUrl}/metrics`)).status).toBe(404);

    const own = Object.values(networkInterfaces()).flat();
    const outer = own.filter((each) => each !== undefined && !each.internal && each.family === 'IPv4');
    for (const { address } of outer as { address: string }[]) {
      const socket = createConnection({ host: address, port });
      const outcome = await Promise.race([
        once(socket, 'connect').then(() => 'connected'),
        once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
      ]).catch((error: NodeJS.ErrnoException) => error.code);
      socket.destroy();
      expect(outcome).toBe('ECONNREFUSED');
    }
  });
});

describe('The signing keys of a running service', () => {
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;

  it('change without a restart: a new one is published before it signs, and old tokens verify', async () => {
    const caller = new TokenCaller(service);
    const [access, payment] = [await caller.exchange(), await caller.pay()];
    const [token, naspip] = [await keys.create('token'), await keys.create('naspip')];
    const ids = async () => Object.keys(Object.values(await caller.published())[0]!);
    const published = await eventually(ids, (found) => found.includes(naspip));
    const former = [kidOf(access), decode(payment).keyId];
    expect([kidOf(await caller.exchange()), decode(await caller.pay()).keyId]).toEqual(former);

    keys.letSign(token, naspip);
    const fresh = await eventually(
      () => caller.exchange(),
      (one) => kidOf(one) === token,
    );
    const signed = await eventually(
      () => caller.pay(),
      (one) => decode(one).keyId === naspip,
    );

    expect(published).toHaveLength(2);
    expect([await caller.verified(payment), await caller.verified(signed)]).toEqual([former[1], naspip]);
    expect([await caller.read(access), await caller.read(fresh)]).toEqual([200, 200]);
  });

  it('stay as they are while their file is broken, which metrics and log tell, without a secret', async () => {
    const caller = new TokenCaller(service);
    const good = readFileSync(keys.path, 'utf8');
    const current = async (part: 'api' | 'worker') =>
      (await scrape(part)).value('payment_collection_signing_keys_file_current');
    const before = kidOf(await caller.exchange());

    writeFileSync(keys.path, good.slice(0, -10));
    for (const part of ['api', 'worker'] as const)
      await eventually(
        () => current(part),
        (value) => value === 0,
      );

    expect(kidOf(await caller.exchange())).toBe(before);
    expect(service.log('api')).toContain('SIGNING_KEYS_FILE is not used as it is now');
    for (const [, secret] of good.matchAll(/"secret(?:_key)?": "([^"]+)"/g))
      expect(service.log('api') + service.log('worker')).not.toContain(secret);
    writeFileSync(keys.path, good);
    expect(
      await eventually(
        () => current('api'),
        (value) => value === 1,
      ),
    ).toBe(1);
  });
});

describe('Traces', () => {
  it('have a request with its statements, which its answer and its log line name', async () => {
    const usdc = service.assets[0]!;
    const { apiKey, apiSecret } = service.seed;
    const exchanged = await fetch(`${service.apiUrl}/v1/auth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
      },
      body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
    });
    const { token } = ((await exchanged.json()) as { data: { token: string } }).data;
    const created = await fetch(`${service.apiUrl}/v1/pos/${service.seed.posId}/payment-request`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-request-id': 'traced' },
        ...{ authorization: `Bearer ${token}`, 'x-service-api-key': apiKey },
      },
      body: JSON.stringify({ amount: '1', unique_asset_id: usdc.unique_asset_id }),
    });
    const [, traceId, spanId] = created.headers.get('traceresponse')!.split('-');
    const span = await eventually(
      async () => traces.spans.find((one) => one.spanId === spanId),
      (found) => found !== undefined,
    );

    // A stranger's trace is not gone on with.
    expect(exchanged.headers.get('traceresponse')).not.toContain('ab'.repeat(16));
    expect(span).toMatchObject({
      ...{ traceId, kind: 2, name: 'POST /v1/pos/:posID/payment-request' },
      attributes: { 'http.response.status_code': 200, 'request.id': 'traced' },
      resource: { 'service.name': 'observed', 'service.role': 'api' },
    });
    expect(span!.parentSpanId ?? '').toBe('');
    const parts = traces.spans.filter((one) => one.traceId === traceId && one !== span);
    expect(parts.map(({ attributes }) => attributes['db.query.text'])).toEqual(
      expect.arrayContaining([expect.stringContaining('payments.')]),
    );
    const lines = service
      .log('api')
      .split('\n')
      .filter((line) => line.includes('"request_id":"traced"'));
    expect(lines.map((line) => (JSON.parse(line) as { trace_id: string }).trace_id)).toContain(traceId);
  });

  it('have the turns of watchers with their calls, deliveries, and no look that found nothing', async () => {
    const isWhole = () =>
      ['watcher sandbox', 'webhook delivery', 'eth_getBlockByNumber', 'transaction'].every((name) =>
        traces.spans.some((span) => span.name === name && span.resource['service.role'] === 'worker'),
      );
    await eventually(
      async () => isWhole(),
      (whole) => whole,
    );

    const [call] = traces.spans.filter(({ name }) => name === 'eth_getBlockByNumber');
    expect(call).toMatchObject({ kind: 3, attributes: { 'chain.network': 'sandbox', 'chain.endpoint': 1 } });
    const delivered = traces.spans.filter(({ name }) => name === 'webhook delivery');
    expect(delivered.map(({ attributes }) => attributes['http.response.status_code'])).toContain(200);
    const roots = traces.spans.filter(
      ({ parentSpanId, kind, status }) => !parentSpanId && kind === 1 && status.code !== 2,
    );
    expect(roots.length).toBeGreaterThan(0);
    const idle = roots.filter((root) => {
      const parts = traces.spans.filter(
        ({ traceId, spanId }) => traceId === root.traceId && spanId !== root.spanId,
      );
      return parts.every(({ attributes }) => attributes['db.system.name'] !== undefined);
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
    for (const { attributes } of traces.spans) expect(attributes).not.toHaveProperty('poll');
  });

  it('cost a process that is not told to trace nothing: it loads no module of them', () => {
    const [whole, loaded] = [filesOf(DIST), new Set<string>()];
    const follow = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const text = readFileSync(join(DIST, file), 'utf8');
      for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) follow(next!);
    };
    for (const program of ['main.js', 'worker.js', 'cli.js']) follow(program);
    const exporting = (files: Iterable<string>) =>
      [...files].filter((file) => readFileSync(join(DIST, file), 'utf8').includes('OTLPTraceExporter'));

    expect(loaded.size).toBeGreaterThan(3);
    expect(exporting(whole)).not.toEqual([]);
    expect(exporting(loaded)).toEqual([]);
  });
});

describe('The log at its most detailed level', () => {
  it('has no secret in it, each line is JSON, and those of a request have its id', async () => {
    const merchant = new SecretiveMerchant(service, smtp, receiver.secret);
    merchant.know('key of an endpoint', RPC_KEY);
    merchant.know('password of the mail server', SMTP_PASSWORD);
    merchant.know('key of the receiver of traces', RECEIVER_KEY);

    await merchant.usesTheApi();
    await merchant.usesTheDashboard();
    await merchant.isFailed();
    const outputs = await merchant.startsWrongly();

    const last = await fetch(`${service.apiUrl}/health/live`, { headers: { 'x-request-id': 'the-last' } });
    const lastId = last.headers.get('x-request-id')!;
    const apiLog = await eventually(
      async () => service.log('api'),
      (log) => log.includes(lastId),
    );
    const workerLog = await eventually(
      async () => service.log('worker'),
      // Of the worker whose endpoint is not there.
      (log) => log.includes('takes no requests until its node can be asked'),
    );
    expect(merchant.secrets.size).toBeGreaterThan(20);
    for (const [name, text] of Object.entries({
      apiLog,
      workerLog,
      ...outputs,
      spans: traces.told(),
    }))
      expect([name, secretsIn(text, merchant.secrets)]).toEqual([name, []]);
    const lines = `${apiLog}\n${workerLog}`.split('\n').filter((line) => line !== '');
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofRequests = parsed.filter(({ msg, route }) => msg === 'request' || route !== undefined);
    expect(ofRequests.length).toBeGreaterThan(30);
    expect(ofRequests.filter(({ request_id }) => typeof request_id !== 'string')).toEqual([]);
    const failed = parsed.filter(({ request_id }) => merchant.failedRequests.includes(request_id as string));
    expect(merchant.failedRequests.length).toBeGreaterThan(1);
    // The access log's, and what went wrong.
    for (const id of merchant.failedRequests)
      expect(failed.filter(({ request_id }) => request_id === id).map(({ level }) => level)).toEqual(
        expect.arrayContaining(['error', 'info']),
      );
  });
});

describe('An API that is told to stop', () => {
  it('says at once that it is not ready, and takes requests until those who send them can have seen it', async () => {
    const stopping = service.processes.api.stop();
    const begun = performance.now();
    const { answer } = await eventually(ready, ({ status }) => status === 503);
    const noticed = performance.now() - begun;
    const served = await fetch(`${service.apiUrl}/.well-known/naspip-keys`);
    const live = await fetch(`${service.apiUrl}/health/live`);
    await stopping;

    expect(answer).toMatchObject({
      status: 'not_ready',
      problems: ['The process is stopping.'],
      process: { state: 'draining' },
    });
    expect(noticed).toBeLessThan((DRAIN_SECONDS * 1_000) / 2);
    expect([served.status, live.status]).toEqual([200, 200]);
    await expect(fetch(`${service.apiUrl}/health/live`)).rejects.toThrow();
  });
});
