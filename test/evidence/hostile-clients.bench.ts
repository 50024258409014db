import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { fillTransactions } from './fill-transactions.js';
import { CrowdedService, type Scene } from './hostile-clients/crowded-service.js';
import { quantile } from './measures.js';

const LONG = process.env['EVIDENCE'] === 'long';
const SECONDS = LONG ? 20 : 0.4;
const PER_SECOND = LONG ? 50 : 20;
/** Each address of loopback has ports of its own, so that they suffice. */
const ADDRESSES = LONG ? 8 : 2;
/** The service allows as many connections, so that a larger crowd is shown too. */
const MAX_CONNECTIONS = LONG ? 10_000 : 100;
/** The file has more bytes than all buffers between the API and the client. */
const RECORDS = 30_000;

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

let world: CrowdedService;
beforeAll(async () => {
  const asked = { perSecond: PER_SECOND, seconds: SECONDS, addresses: ADDRESSES };
  world = await CrowdedService.open(asked, { HTTP_CONNECTIONS: String(MAX_CONNECTIONS) });
}, 120_000);
afterAll(() => world?.close());

const shown = (ms: number[]) => [0.5, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)).join('/');

describe('The API', () => {
  it.each(SCENES)('responds with 200 to honest clients, beside: $name', async (scene) => {
    const { api, health, files, memory, crowd } = await world.meet(scene);

    process.stdout.write(
      `${scene.name}${scene.count ? ` (${scene.count})` : ''}: API p50/p99/longest ${shown(api.took)} ms, ` +
        `${JSON.stringify(api.answers)}; health ${shown(health.took)} ms, ${JSON.stringify(health.answers)}; ` +
        `${files} files, ${memory} MB; crowd ${JSON.stringify(crowd)}\n`,
    );
    for (const { 'sent again': again = 0, ...answers } of [api.answers, health.answers]) {
      expect(Object.keys(answers)).toEqual(['200']);
      expect(again).toBeLessThan(PER_SECOND * SECONDS);
    }
  });

  it('breaks no invariant and logs no error under hostile clients', async () => {
    expect(await world.service.breaches()).toEqual([]);
    expect(world.service.log('api')).not.toContain('"level":"error"');
  });
});

describe('A download whose client stops reading', () => {
  it('holds no transaction in the database, and is complete once the client reads on', async () => {
    const { service, calls } = world;
    // Last, since these rows have no journal.
    await service.query(fillTransactions(service.seed.organizationId, service.seed.accountId, RECORDS));
    const [{ count } = { count: 0 }] = await service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM ledger.transactions',
    );
    const response = await fetch(`${service.apiUrl}/v1/transactions.csv`, { headers: calls[1]!.headers! });
    const chunks = response.body!.values();
    let lines = 0;
    const read = ({ value }: IteratorResult<Uint8Array>) =>
      (lines +=
        Buffer.from(value ?? [])
          .toString('latin1')
          .split('\r\n').length - 1);
    read(await chunks.next());

    // All buffers between the API and the client are full when it has sent no statement for a second.
    const sessions = (condition: string) =>
      service.query(`SELECT query FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'api' AND ${condition}`);
    await eventually(
      () =>
        sessions(`query LIKE '%ledger.transactions%'
          AND (state <> 'idle' OR state_change > clock_timestamp() - interval '1 s')`),
      ({ length }) => length === 0,
    );
    const open = await sessions('xact_start IS NOT NULL');
    const readWhileStopped = lines;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) read(next);

    expect(open).toEqual([]);
    expect(readWhileStopped).toBeLessThan(count);
    expect(lines).toBe(count + 1);
  }, 300_000);
});
