import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/credential-lookup.js';
import { SELECT_PAYMENT_REQUEST } from '#contexts/payments/infrastructure/requests/persistence/views/payment-request-queries.js';
import { startTestService, type TestService } from '../support/service.js';
import { publishFigure, typical } from './figures.js';
import { comparedWith, FORM, median, row, shown } from './measures.js';
import { cpuMs } from './process-cpu.js';
import { ask, startProgram } from './programs.js';

/** The long form is `npm run evidence -- read`. */
const LONG = FORM === 'long';
const [PAIRS, READS] = ({ short: [1, 50], figures: [5, 2_000], long: [9, 3_000] } as const)[FORM];
const CONNECTIONS = 8;
const POOL = 4;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

let service: TestService;
let load: ChildProcess;
let bare: ChildProcess;
let bareUrl: string;
let read: Call;

beforeAll(async () => {
  service = await startTestService({ settings: { DATABASE_POOL_SIZE: String(POOL), LOG_LEVEL: 'info' } });
  load = startProgram('full-load.mjs');
  bare = startProgram('bare-statements.mjs');
  const { api, seed, assets } = service;
  const path = `/v1/pos/${seed.posId}/payment-request`;
  const { id } = await api.post<{ id: string }>(path, {
    amount: '1',
    unique_asset_id: assets[0]!.unique_asset_id,
  });
  read = { method: 'GET', path: `${path}/${id}`, headers: await proofs() };
  const statements = statementsOf(id);
  const start = { databaseUrl: service.databaseUrl, connections: POOL, statements };
  const { port } = await ask<{ port: number }>(bare, start);
  bareUrl = `http://127.0.0.1:${port}`;
}, 120_000);

afterAll(async () => {
  for (const child of [load, bare]) child?.kill();
  await service?.stop();
});

async function proofs(): Promise<Record<string, string>> {
  const { apiUrl, seed } = service;
  const answered = await fetch(`${apiUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: seed.apiKey, api_secret: seed.apiSecret }),
  });
  const { data } = (await answered.json()) as { data: { token: string } };
  return { authorization: `Bearer ${data.token}`, 'x-service-api-key': seed.apiKey };
}

/** One read sends these (`test/pages/checkouts/statements.suite.ts` counts them). */
function statementsOf(id: string): { text: string; values: unknown[] }[] {
  const { apiKey, posId, organizationId } = service.seed;
  return [
    { text: READ_CREDENTIAL, values: [apiKey] },
    { text: SELECT_PAYMENT_REQUEST, values: [id, posId, organizationId, null] },
  ];
}

async function rateAt(url: string, count = READS): Promise<number> {
  const asked = { url, calls: [read], connections: CONNECTIONS, count };
  const { ms, answers } = await ask<{ ms: number; answers: Record<string, number> }>(load, asked);
  expect(answers).toEqual({ 200: count });
  return (count / ms) * 1_000;
}

describe('Reading a payment request', () => {
  it('reaches a fraction of the rate of a server that only runs the same two statements', async () => {
    const costs: Record<'api' | 'bare', number[]> = { api: [], bare: [] };
    const measured = async (url: string, pid: number, into: number[]) => {
      const before = cpuMs(pid);
      const rate = await rateAt(url);
      into.push((cpuMs(pid) - before) / READS);
      return rate;
    };
    const ofBare = () => measured(bareUrl, bare.pid!, costs.bare);
    const ofApi = () => measured(service.apiUrl, service.processes.api.pid, costs.api);
    await rateAt(service.apiUrl);
    await rateAt(bareUrl);

    const { ratios, noise, ours, limits } = await comparedWith(PAIRS, ofBare, ofApi);

    process.stdout.write(
      row('reads of the bare ones’ rate', 'bare beside bare', 'Node, ms a read', 'Node, bare, ms') +
        row(shown(ratios), shown(noise), shown(costs.api, 3), shown(costs.bare, 3)),
    );
    publishFigure({
      work: 'read a payment request',
      result: `${typical(ours)} per second`,
      limit: `server that runs the same two statements: ${typical(limits)} per second`,
      ratios,
      measurement: 'read',
    });
    if (LONG) expect(median(ratios)).toBeGreaterThan(0.2);
  }, 900_000);
});
