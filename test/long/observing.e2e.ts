import { networkInterfaces } from 'node:os';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { ReadinessAnswer } from '#app/health/judge-readiness.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { metricsOfRole } from '../support/exported-metrics.js';
import { eventually } from '../support/eventually.js';
import { DRAIN_SECONDS, ObservedService } from '../support/observed-service.js';
import { Scrape } from '../support/scrape.js';
import { WithholdingProxy } from '../support/withholding-proxy.js';
import { logs } from './observing/logs.suite.js';
import { signingKeys } from './observing/signing-keys.suite.js';
import { traces } from './observing/traces.suite.js';

const CONFIRMATIONS = 5;

const observed = new ObservedService();

async function ready(url = observed.service.apiUrl): Promise<{ status: number; answer: ReadinessAnswer }> {
  const response = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
  return { status: response.status, answer: (await response.json()) as ReadinessAnswer };
}

describe('The health of the API', () => {
  it('is live, to anybody', async () => {
    const response = await fetch(`${observed.service.apiUrl}/health/live`);

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
    const proxy = await WithholdingProxy.open(observed.service.databaseUrl);
    const api = await observed.service.killableApi(proxy.url);
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
      problems: ['The database does not respond.'],
      database: { state: 'unreachable' },
    });
    expect(live.status).toBe(200);
  });
});

describe('Metrics', () => {
  it('are those that the code registers, in each process', async () => {
    for (const part of ['api', 'worker'] as const) {
      const found = await observed.scrape(part);
      const registered = (await metricsOfRole(part)).map(({ name }) => name);

      expect(registered.filter((name) => !found.families.has(name))).toEqual([]);
      expect(found.families).toContain('process_cpu_seconds_total');
      expect(found.value('payment_collection_database_up')).toBe(1);
      expect(found.sum('payment_collection_process_info', { role: part })).toBe(1);
    }
  });

  it('count a payment from its request to its webhook', async () => {
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

  it('name no path that a caller has written', async () => {
    await fetch(`${observed.service.apiUrl}/nowhere/0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90`);

    const found = await observed.scrape('api');

    expect(found.sum('payment_collection_http_requests_total', { route: 'unmatched' })).toBeGreaterThan(0);
    expect(found.text).not.toContain('nowhere');
  });

  it('show the network, the event log, due work, the gas key and the pool', async () => {
    // Settlements mine blocks and have webhooks too, so that the head and deliveries move on for a moment.
    let head = 0;
    const read = async () => {
      head = Number(await observed.service.chain.rpc<string>('eth_blockNumber'));
      return observed.scrape('worker');
    };
    const settled = (found: Scrape) =>
      found.value('payment_collection_network_head_block') === head &&
      found.value('payment_collection_network_lag_blocks') === 0 &&
      found.value('payment_collection_gas_key_low') !== undefined &&
      found.sum('payment_collection_event_subscriber_lag_seconds', {}) === 0 &&
      found.sum('payment_collection_due_work', { kind: 'webhook_delivery' }) === 0;
    const found = await eventually(read, settled);

    expect(found.value('payment_collection_network_watched')).toBe(1);
    expect(found.value('payment_collection_network_max_lag_seconds')).toBe(86_400);
    expect(found.value('payment_collection_event_log_position')).toBeGreaterThan(0);
    const parked = { subscriber: 'webhooks' };
    expect(found.sum('payment_collection_event_subscriber_parked_events', parked)).toBe(0);
    const failing = 'payment_collection_background_loop_failing_seconds';
    expect(found.sum(failing, {})).toBe(0);
    expect(found.text).toContain(`${failing}{loop="pruning of deliveries"} 0`);
    expect(found.value('payment_collection_gas_key_low')).toBe(0);
    expect(found.value('payment_collection_gas_key_balance_wei')).toBeGreaterThan(1e15);
    expect(found.value('payment_collection_database_pool_max_connections')).toBe(10);
    expect(found.value('payment_collection_database_pool_waiting')).toBe(0);
    expect((await observed.scrape('api')).value('payment_collection_ready')).toBe(1);
  });

  it('are served on the loopback address alone, and nothing else is served there', async () => {
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

signingKeys(observed);

traces(observed);

logs(observed);

describe('An API that gets SIGTERM', () => {
  it('says at once that it is not ready, and takes requests until those who send them can have seen it', async () => {
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
