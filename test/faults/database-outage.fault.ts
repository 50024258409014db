import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KillableSandbox } from './killable-sandbox.js';
import { until } from './orders.js';

const CLIENTS = 8;
const CREATES = 200;
const KILLED_AFTER = 60;
const RETRIED_AFTER_MS = 100;
const PROCESSES = ['api', 'worker'] as const;
/** So many characters of a log say why its process has ended. */
const END_OF_LOG = 4_000;

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
}

let sandbox: KillableSandbox;
let token: string;

beforeAll(async () => {
  sandbox = await KillableSandbox.start();
  const { api_key, api_secret } = sandbox.file;
  const answer = await post('/v1/auth/token', { api_key, api_secret }, {});
  token = ((await answer.json()) as { data: { token: string } }).data.token;
}, 150_000);

afterAll(async () => {
  expect(await sandbox?.end()).toEqual([]);
});

describe('PostgreSQL killed under load', () => {
  it('loses nothing that was acknowledged, says unavailable meanwhile, and the service goes on by itself', async () => {
    const before = PROCESSES.map((part) => sandbox.pidOf(part));
    const acknowledged: string[] = [];
    const refusals: Refusal[] = [];
    let sent = 0;
    let isBack = false;
    const client = async () => {
      while (!isBack || acknowledged.length < CREATES) {
        sent += 1;
        const created = await create(`outage-${sent}`);
        if (typeof created === 'string') acknowledged.push(created);
        else {
          refusals.push(created);
          await new Promise((resolve) => setTimeout(resolve, RETRIED_AFTER_MS));
        }
      }
    };

    const load = Promise.all(Array.from({ length: CLIENTS }, client));
    await until('some are created', () => acknowledged.length >= KILLED_AFTER, { everyMs: 1 });
    await sandbox.kill('postgres')();
    isBack = true;
    await load;

    const stored = await sandbox.query<{ id: string }>('SELECT id FROM payments.payment_requests');
    const ids = new Set(stored.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(refusal).toEqual({ status: 503, code: 'unavailable', retryAfter: '1' });
    const ended = PROCESSES.filter((part, at) => sandbox.pidOf(part) !== before[at]);
    expect(ended.map((part) => [part, sandbox.log(part).slice(-END_OF_LOG)])).toEqual([]);
    expect(await sandbox.verify()).toEqual({ exitCode: 0, broken: [] });
  });

  it('reads the chain on with the same worker', async () => {
    const cursor = () =>
      sandbox.query<{ head: string }>('SELECT head_number AS head FROM payments.chain_cursors');
    const [before] = await cursor();

    await until(
      'the reading has moved',
      async () => Number((await cursor())[0]!.head) > Number(before!.head) + 1,
    );
  });
});

/** @returns the id once it is acknowledged */
async function create(referenceId: string): Promise<string | Refusal> {
  const body = { amount: '5', unique_asset_id: sandbox.usdc.unique_asset_id, reference_id: referenceId };
  const headers = { authorization: `Bearer ${token}`, 'x-service-api-key': sandbox.file.api_key };
  const response = await post(`/v1/pos/${sandbox.file.pos_id}/payment-request`, body, headers);
  const answer = (await response.json()) as { data?: { id: string }; code?: string };
  if (response.ok) return answer.data!.id;
  return {
    status: response.status,
    code: String(answer.code),
    retryAfter: response.headers.get('retry-after'),
  };
}

/** @throws Error where the API does not answer at all */
function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  return fetch(sandbox.file.api_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(90_000),
  });
}
