import { networkInterfaces } from 'node:os';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { ReadinessAnswer } from '#app/health/evaluate-readiness.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { metricsOfRole } from '../support/exported-metrics.js';
import { eventually } from '../support/eventually.js';
import { DRAIN_SECONDS, ObservedService } from './observing/observed-service.js';
import { Scrape } from '../support/scrape.js';
import { TokenCaller } from '../support/token-caller.js';
import { secretsIn } from '../support/logged-secrets.js';
import { SecretiveMerchant } from './observing/secretive-merchant.js';
import { decodeNaspipToken } from '#shared/naspip/naspip-token.js';
import { decodeProtectedHeader } from 'jose';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONFIRMATIONS = 5;

const DIST = join(process.cwd(), 'dist');
const filesOf = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.js'));

const observed = new ObservedService();

async function ready(url = observed.service.apiUrl): Promise<{ status: number; answer: ReadinessAnswer }> {
  const response = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
  return { status: response.status, answer: (await response.json()) as ReadinessAnswer };
}

describe('The health of the API', () => {
  it('is ready after a worker has read its network', async () => {
    const { answer } = await eventually(
      ready,
      // The limit of the lag is stored by the watcher's first iteration.
      ({ status, answer }) => status === 200 && answer.networks[0]?.max_lag_seconds != null,
    );

    expect(answer).toMatchObject({ status: 'ready', problems: [], process: { state: 'serving' } });
    expect(answer).toMatchObject({ database: { state: 'ok' }, worker: { state: 'ok' } });
    expect(answer.networks).toMatchObject([{ network: 'sandbox', state: 'ok', max_lag_seconds: 86_400 }]);
    expect(answer.worker.seconds_since_turn).toBeLessThan(10);
  });
});

describe('The metrics endpoint', () => {
  it('has every metric that the code registers, in each process', async () => {
    for (const part of ['api', 'worker'] as const) {
      const found = await observed.scrape(part);
      const registered = (await metricsOfRole(part)).map(({ name }) => name);

      expect(registered.filter((name) => !found.chainTypes.has(name))).toEqual([]);
      expect(found.chainTypes).toContain('process_cpu_seconds_total');
      expect(found.value('payment_collection_database_up')).toBe(1);
      expect(found.sum('payment_collection_process_info', { role: part })).toBe(1);
    }
  });

  it('counts a payment from its request to its webhook', async () => {
    const [apiBefore, workerBefore] = [await observed.scrape('api'), await observed.scrape('worker')];
    const usdc = observed.service.assets[0]!;
    const body = { amount: '12.5', unique_asset_id: usdc.unique_asset_id, reference_id: 'observed' };
    const path = `/v1/pos/${observed.service.seed.posId}/payment-request`;
    const request = await observed.service.api.post<PaymentRequestDto>(path, body);
    const units = BigInt(parseAmount('12.5', usdc.decimals));
    const token = tokenOf(usdc.unique_asset_id);
    await observed.service.wallet.mined(
      await observed.service.wallet.send(token, request.address as `0x${string}`, units),
    );
    await observed.service.chain.mine(CONFIRMATIONS);
    await eventually(
      () => observed.service.api.get<{ status: string }>(`${path}/${request.id}`),
      ({ status }) => status === 'completed',
    );
    const grown = async (part: 'api' | 'worker', before: Scrape, name: string, labels: object) =>
      (await observed.scrape(part)).sum(name, labels) - before.sum(name, labels);
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

  it('listens only on the loopback address, and serves nothing else', async () => {
    const port = observed.service.metricsPorts.api;
    const answers = await Promise.all(
      ['/', '/health', '/metrics/../v1/account'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status),
      ),
    );
    expect(answers).toEqual([404, 404, 404]);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${observed.service.apiUrl}/metrics`)).status).toBe(404);

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

  it('rotates without a restart: a new key is published before it signs, and old tokens stay valid', async () => {
    const caller = new TokenCaller(observed.service);
    const [access, payment] = [await caller.exchange(), await caller.pay()];
    const [token, naspip] = [await observed.keys.create('token'), await observed.keys.create('naspip')];
    const ids = async () => Object.keys(Object.values(await caller.published())[0]!);
    const published = await eventually(ids, (found) => found.includes(naspip));
    const former = [kidOf(access), decodeNaspipToken(payment).keyId];
    expect([kidOf(await caller.exchange()), decodeNaspipToken(await caller.pay()).keyId]).toEqual(former);

    observed.keys.letSign(token, naspip);
    const fresh = await eventually(
      () => caller.exchange(),
      (one) => kidOf(one) === token,
    );
    const signed = await eventually(
      () => caller.pay(),
      (one) => decodeNaspipToken(one).keyId === naspip,
    );

    expect(published).toHaveLength(2);
    expect([await caller.verified(payment), await caller.verified(signed)]).toEqual([former[1], naspip]);
    expect([await caller.read(access), await caller.read(fresh)]).toEqual([200, 200]);
  });
});

describe('Tracing', () => {
  it('records a request with its statements, and names the trace in its response and its log line', async () => {
    const usdc = observed.service.assets[0]!;
    const { apiKey } = observed.service.seed;
    const token = await new TokenCaller(observed.service).exchange();
    const created = await fetch(
      `${observed.service.apiUrl}/v1/pos/${observed.service.seed.posId}/payment-request`,
      {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-request-id': 'traced' },
          ...{ authorization: `Bearer ${token}`, 'x-service-api-key': apiKey },
        },
        body: JSON.stringify({ amount: '1', unique_asset_id: usdc.unique_asset_id }),
      },
    );
    const [, traceId, spanId] = created.headers.get('traceresponse')!.split('-');
    const span = await eventually(
      async () => observed.traces.spans.find((one) => one.spanId === spanId),
      (found) => found !== undefined,
    );

    expect(span).toMatchObject({
      ...{ traceId, kind: 2, name: 'POST /v1/pos/:posID/payment-request' },
      attributes: { 'http.response.status_code': 200, 'request.id': 'traced' },
      resource: { 'service.name': 'observed', 'service.role': 'api' },
    });
    expect(span!.parentSpanId ?? '').toBe('');
    const parts = observed.traces.spans.filter((one) => one.traceId === traceId && one !== span);
    expect(parts.map(({ attributes }) => attributes['db.query.text'])).toEqual(
      expect.arrayContaining([expect.stringContaining('payments.')]),
    );
    // The API writes its log lines later, in batches.
    const lines = await eventually(
      () =>
        observed.service
          .log('api')
          .split('\n')
          .slice(0, -1)
          .filter((line) => line.includes('"request_id":"traced"')),
      (found) => found.length > 0,
    );
    expect(lines.map((line) => (JSON.parse(line) as { trace_id: string }).trace_id)).toContain(traceId);
  });

  it('records iterations of the watcher with their calls, and deliveries, but no idle poll', async () => {
    const isWhole = () =>
      ['watcher sandbox', 'webhook delivery', 'eth_getBlockByNumber', 'transaction'].every((name) =>
        observed.traces.spans.some(
          (span) => span.name === name && span.resource['service.role'] === 'worker',
        ),
      );
    await eventually(
      async () => isWhole(),
      (whole) => whole,
    );

    const [call] = observed.traces.spans.filter(({ name }) => name === 'eth_getBlockByNumber');
    expect(call).toMatchObject({
      kind: 3,
      attributes: { 'chain.network': 'sandbox', 'chain.endpoint': 1 },
    });
    const delivered = observed.traces.spans.filter(({ name }) => name === 'webhook delivery');
    expect(delivered.map(({ attributes }) => attributes['http.response.status_code'])).toContain(200);
    const roots = observed.traces.spans.filter(
      ({ parentSpanId, kind, status }) => !parentSpanId && kind === 1 && status.code !== 2,
    );
    expect(roots.length).toBeGreaterThan(0);
    const idle = roots.filter((root) => {
      const parts = observed.traces.spans.filter(
        ({ traceId, spanId }) => traceId === root.traceId && spanId !== root.spanId,
      );
      return parts.every(({ attributes }) => attributes['db.system.name'] !== undefined);
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
    for (const { attributes } of observed.traces.spans) expect(attributes).not.toHaveProperty('poll');
  });

  it('loads no tracing module in a process without tracing', () => {
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
  it('contains no secret, only JSON lines, and the id of the request in each line of a request', async () => {
    const merchant = new SecretiveMerchant(observed.service, observed.smtp, observed.receiver.secret);
    merchant.know('key of an endpoint', observed.secrets.rpcKey);
    merchant.know('password of the mail server', observed.secrets.smtpPassword);
    merchant.know('key of the receiver of traces', observed.secrets.traceKey);

    await merchant.usesTheApi();
    await merchant.usesTheDashboard();
    await merchant.isFailed();
    const outputs = await merchant.startsWrongly();

    const last = await fetch(`${observed.service.apiUrl}/health/live`, {
      headers: { 'x-request-id': 'the-last' },
    });
    const lastId = last.headers.get('x-request-id')!;
    const apiLog = await eventually(
      async () => observed.service.log('api'),
      (log) => log.includes(lastId),
    );
    const workerLog = await eventually(
      async () => observed.service.log('worker'),
      // Of the worker whose endpoint is not there.
      (log) => log.includes('network.unchecked'),
    );
    expect(merchant.secrets.size).toBeGreaterThan(20);
    for (const [name, text] of Object.entries({
      apiLog,
      workerLog,
      ...outputs,
      spans: observed.traces.received(),
    }))
      expect([name, secretsIn(text, merchant.secrets)]).toEqual([name, []]);
    const lines = `${apiLog}\n${workerLog}`.split('\n').filter((line) => line !== '');
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofRequests = parsed.filter(({ event, route }) => event === 'http.request' || route !== undefined);
    expect(ofRequests.length).toBeGreaterThan(30);
    expect(ofRequests.filter(({ request_id }) => typeof request_id !== 'string')).toEqual([]);
    const failed = parsed.filter(({ request_id }) => merchant.failedRequests.includes(request_id as string));
    expect(merchant.failedRequests.length).toBeGreaterThan(0);
    // The access log's, and what went wrong.
    for (const id of merchant.failedRequests)
      expect(failed.filter(({ request_id }) => request_id === id).map(({ level }) => level)).toEqual(
        expect.arrayContaining(['error', 'info']),
      );
  });
});

describe('An API that receives SIGTERM', () => {
  it('is not ready immediately, and accepts requests until load balancers have noticed', async () => {
    const stopping = observed.service.processes.api.stop();
    const begun = performance.now();
    const { answer } = await eventually(ready, ({ status }) => status === 503);
    const noticed = performance.now() - begun;
    const served = await fetch(`${observed.service.apiUrl}/.well-known/naspip-keys`);
    const live = await fetch(`${observed.service.apiUrl}/health/live`);
    await stopping;

    expect(answer).toMatchObject({
      status: 'not_ready',
      problems: ['The process is stopping.'],
      process: { state: 'draining' },
    });
    expect(noticed).toBeLessThan((DRAIN_SECONDS * 1_000) / 2);
    expect([served.status, live.status]).toEqual([200, 200]);
    expect(served.headers.get('keep-alive')).toBe('timeout=90');
    await expect(fetch(`${observed.service.apiUrl}/health/live`)).rejects.toThrow();
  });
});
