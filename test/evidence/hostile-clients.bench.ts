import { readdirSync, readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { quantile } from './measures.js';
import { answer, ask, startProgram } from './programs.js';

/** The long form is `npm run evidence -- hostile-clients`. */
const LONG = process.env['EVIDENCE'] === 'long';
const SECONDS = LONG ? 20 : 0.4;
const PER_SECOND = LONG ? 50 : 20;
/** Of one address of loopback each, so that ports suffice. */
const ADDRESSES = LONG ? 8 : 2;
/** As many connections as the service allows, so that a larger crowd is shown too. */
const MOST_CONNECTIONS = LONG ? 10_000 : 100;

interface Scene {
  readonly name: string;
  readonly kind?: 'idle' | 'headers' | 'body' | 'deaf' | 'ahead' | 'many';
  readonly count?: number;
  /** Connections of a load that calls as fast as it is answered. */
  readonly loadedBy?: number;
}

const ALL: readonly Scene[] = [
  { name: 'quiet' },
  { name: 'idle connections', kind: 'idle', count: LONG ? 9_900 : 60 },
  { name: 'more idle connections than there may be', kind: 'idle', count: LONG ? 12_000 : 150 },
  { name: 'slow headers', kind: 'headers', count: LONG ? 2_000 : 30 },
  { name: 'slow bodies', kind: 'body', count: LONG ? 2_000 : 30 },
  { name: 'callers that do not read', kind: 'deaf', count: LONG ? 500 : 10 },
  { name: 'requests sent ahead', kind: 'ahead', count: LONG ? 50 : 5 },
  { name: 'headers in great number', kind: 'many', count: LONG ? 100 : 5 },
  { name: 'full load', loadedBy: LONG ? 200 : 20 },
  { name: 'quiet again' },
];
const SHORT = [
  'more idle connections than there may be',
  'slow bodies',
  'callers that do not read',
  'full load',
];
const SCENES = ALL.filter(({ name }) => LONG || SHORT.includes(name));

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Calls {
  readonly took: number[];
  readonly answers: Record<string, number>;
}

let service: TestService;
let callers: ChildProcess;
let calls: Call[];

beforeAll(async () => {
  service = await startTestService({
    settings: { PUBLIC_REQUESTS_PER_MINUTE: '1000000000', HTTP_CONNECTIONS: String(MOST_CONNECTIONS) },
  });
  callers = startProgram('hostile-clients/honest-callers');
  calls = await ordinaryCalls();
}, 120_000);

afterAll(async () => {
  callers?.kill();
  await service?.stop();
});

/** A creation, a list and a poll. */
async function ordinaryCalls(): Promise<Call[]> {
  const { apiUrl, api, seed, assets } = service;
  const exchange = await fetch(`${apiUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: seed.apiKey, api_secret: seed.apiSecret }),
  });
  const { data } = (await exchange.json()) as { data: { token: string } };
  const proofs = { authorization: `Bearer ${data.token}`, 'x-service-api-key': seed.apiKey };
  const session = await api.post<{ session_id: string }>(`/v1/pos/${seed.posId}/payment-request-checkout`, {
    amount: '12.50',
    coin_code: 'USD',
  });
  return [
    {
      method: 'POST',
      path: `/v1/pos/${seed.posId}/payment-request`,
      headers: { ...proofs, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '1', unique_asset_id: assets[0]!.unique_asset_id }),
    },
    { method: 'GET', path: '/v1/transactions?page=1&page_size=5', headers: proofs },
    { method: 'GET', path: `/public/checkout/${session.session_id}` },
  ];
}

/** But for its last lines. */
function headOf({ method, path, headers = {} }: Call): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}

async function withCrowd<T>(
  { kind, count }: Scene,
  work: () => Promise<T>,
): Promise<{ met: T; crowd: object }> {
  if (kind === undefined) return { met: await work(), crowd: {} };
  const program = startProgram('hostile-clients/hostile-crowd');
  const { hostname: host, port } = new URL(service.apiUrl);
  const [create] = calls;
  const body = create!.body!.padEnd(1_000);
  // With a credential, which alone makes the service wait for a body; or without, so that no rate bounds what is sent.
  const head = headOf(kind === 'body' ? create! : { ...create!, headers: {} });
  const asked = { kind, count, host, port, addresses: ADDRESSES, head, body };
  await ask(program, asked);
  const met = await work();
  const crowd = await ask<object>(program, { stop: true });
  program.kill();
  return { met, crowd };
}

async function withLoad<T>({ loadedBy }: Scene, work: () => Promise<T>): Promise<T> {
  if (loadedBy === undefined) return work();
  const program = startProgram('full-load');
  const said = answer<{ answers: Record<string, number> }>(program);
  program.send({ url: service.apiUrl, calls, connections: loadedBy });
  const done = await work();
  program.send({ stop: true });
  const { answers } = await said;
  program.kill();
  process.stdout.write(`The load was answered: ${JSON.stringify(answers)}\n`);
  expect(Object.keys(answers)).toEqual(['200']);
  return done;
}

/** Of the API process: open files, and resident memory in MB. */
function resources(): { files: number; memory: number } {
  const { pid } = service.processes.api;
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return { files: readdirSync(`/proc/${pid}/fd`).length, memory: Math.round(Number(kb) / 1024) };
}

async function meet(scene: Scene) {
  const asked = { url: service.apiUrl, calls, perSecond: PER_SECOND, seconds: SECONDS };
  const { met, crowd } = await withCrowd(scene, () =>
    withLoad(scene, async () => {
      const both = await ask<{ api: Calls; health: Calls }>(callers, asked);
      return { ...both, ...resources() };
    }),
  );
  return { ...met, crowd };
}

const shown = (ms: number[]) => [0.5, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)).join('/');

describe('Honest callers', () => {
  it.each(SCENES)('are answered beside: $name', async (scene) => {
    const { api, health, files, memory, crowd } = await meet(scene);

    process.stdout.write(
      `${scene.name}${scene.count ? ` (${scene.count})` : ''}: API p50/p99/longest ${shown(api.took)} ms, ` +
        `${JSON.stringify(api.answers)}; health ${shown(health.took)} ms, ${JSON.stringify(health.answers)}; ` +
        `${files} files, ${memory} MB; crowd ${JSON.stringify(crowd)}\n`,
    );
    const { 'sent again': again = 0, ...answers } = api.answers;
    expect(Object.keys(answers)).toEqual(['200']);
    expect(Object.keys(health.answers)).toEqual(['200']);
    expect(again).toBeLessThan(PER_SECOND * SECONDS);
  });

  it('leave nothing wrong behind', async () => {
    expect(await service.breaches()).toEqual([]);
    expect(service.log('api')).not.toContain('"level":"error"');
  });
});
