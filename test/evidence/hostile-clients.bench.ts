import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_DOWNLOADS } from '#contexts/ledger/infrastructure/http/open-downloads.js';
import { eventually } from '../support/eventually.js';
import { fillTransactions } from './fill-transactions.js';
import { CrowdedService, type Scene } from './hostile-clients/crowded-service.js';
import { Download, type ReadFile } from './hostile-clients/download.js';
import { quantile, row } from './measures.js';

/** The long form is `npm run evidence -- hostile-clients`. */
const LONG = process.env['EVIDENCE'] === 'long';
const SECONDS = LONG ? 20 : 0.4;
const PER_SECOND = LONG ? 50 : 20;
/** Each address of loopback has ports of its own, so that they suffice. */
const ADDRESSES = LONG ? 8 : 2;
/** The service allows as many connections, so that a larger crowd is shown too. */
const MAX_CONNECTIONS = LONG ? 10_000 : 100;
/** The file has more bytes than connections keep for a client that does not read. */
const RECORDS = LONG ? 1_000_000 : 30_000;
/** That a client reads before it stops. */
const READ = LONG ? RECORDS / 2 : 1_000;

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

describe('Honest callers', () => {
  it.each(SCENES)('are answered beside: $name', async (scene) => {
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

  it('leave nothing wrong behind', async () => {
    expect(await world.service.breaches()).toEqual([]);
    expect(world.service.log('api')).not.toContain('"level":"error"');
  });
});

describe('A download whose client stops reading', () => {
  let url: string;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const { organizationId, accountId } = world.service.seed;
    // Last, since these rows have no journal.
    await world.service.query(fillTransactions(organizationId, accountId, RECORDS));
    await world.service.query('VACUUM ANALYZE ledger.transactions');
    url = `${world.service.apiUrl}/v1/transactions.csv`;
    headers = world.calls[1]!.headers!;
  }, 300_000);

  /** The API has asked for nothing more for a second: all that lies between it and the client is full. */
  const stopped = () =>
    eventually(
      () =>
        world.service.query(
          `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api'
             AND query LIKE '%ledger.transactions%' AND (state <> 'idle' OR state_change > clock_timestamp() - interval '1 s')`,
        ),
      (asking) => asking.length === 0,
    );
  const transactions = () =>
    world.service.query(
      `SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api'
         AND xact_start IS NOT NULL`,
    );
  const ended = () => world.service.log('api').match(/"route":"\/v1\/transactions\.csv".*/g) ?? [];

  it('holds nothing in the database, and is whole once it is read on', async () => {
    const [expected] = await world.service.query<Pick<ReadFile, 'records' | 'ids'>>(
      `SELECT count(*)::integer AS records, md5(string_agg(id || E'\n', '' ORDER BY organization_sequence DESC)) AS ids
       FROM ledger.transactions`,
    );
    const quiet = await world.meet({ name: 'quiet' });
    const before = await world.memory();
    const download = await Download.begin(url, headers);
    await download.readSome(READ);
    await stopped();

    const held = await transactions();
    const during = await world.memory();
    const { api, health } = await world.meet({ name: 'a download whose client has stopped reading' });
    const unfinished = ended();
    const file = await download.readOn();

    const after = await world.memory();
    const straight = await (await Download.begin(url, headers)).readOn();
    process.stdout.write(
      row(
        'records',
        'MB used of held before',
        'stalled',
        'read',
        'API p50/p99/longest before, ms',
        'stalled',
      ) + row(RECORDS.toLocaleString('en'), before, during, after, shown(quiet.api.took), shown(api.took)),
    );
    expect([held, unfinished]).toEqual([[], []]);
    expect([Object.keys(api.answers), Object.keys(health.answers)]).toEqual([['200'], ['200']]);
    expect(file).toEqual({ ...expected, sha256: straight.sha256, isWhole: true });
    expect(straight).toEqual(file);
    // The whole file is some 500 MB in the long form, 15 MB in the short one.
    expect(parseInt(during) - parseInt(before)).toBeLessThan(5);
  }, 900_000);

  // It takes the half minute that a client may take for the next 16 KiB.
  if (LONG)
    it('is cut off where it is never read on, and what it held is free again', async () => {
      const cutOff = () => ended().filter((line) => line.includes('"aborted":true'));
      const before = await world.memory();
      const downloads = await Promise.all(
        Array.from({ length: MAX_DOWNLOADS }, () => Download.begin(url, headers)),
      );
      for (const download of downloads) await download.readSome(1_000);
      const begun = performance.now();
      const more = await Download.begin(url, headers);
      await stopped();

      const held = await transactions();
      const during = await world.memory();
      const { api } = await world.meet({ name: 'many that have stopped' });
      await eventually(
        () => Promise.resolve(cutOff()),
        ({ length }) => length === MAX_DOWNLOADS,
        120_000,
      );

      const seconds = (performance.now() - begun) / 1_000;
      const after = await world.memory();
      const again = await Download.begin(url, headers);
      const files = await Promise.all(downloads.map((download) => download.readOn()));
      process.stdout.write(
        row('never read on', 'cut off after, s', 'MB used of held before', 'stalled', 'after', 'API, ms') +
          row(`${MAX_DOWNLOADS}`, seconds.toFixed(0), before, during, after, shown(api.took)),
      );
      again.drop();
      expect([more.status, again.status, held]).toEqual([429, 200, []]);
      expect(new Set(files.map(({ isWhole }) => isWhole))).toEqual(new Set([false]));
    }, 300_000);
});
