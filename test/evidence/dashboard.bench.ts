import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { signedIn } from '../support/dashboard-session.js';
import { startTestService, type TestService } from '../support/service.js';
import { fillTransactions } from './fill-transactions.js';
import { median } from './measures.js';

const PAYMENTS = process.env['EVIDENCE'] === 'long' ? 100_000 : 2_000;
const ROUNDS = process.env['EVIDENCE'] === 'long' ? 30 : 3;
const PAGE = 20;
const LAST_PAGE = PAYMENTS / PAGE;
const PAGE_OF_TRANSACTIONS = 15;
const LAST_PAGE_OF_TRANSACTIONS = Math.ceil(PAYMENTS / PAGE_OF_TRANSACTIONS);
const MAX_BYTES = 30_000;

let service: TestService;
let client: pg.Client;
let cookie: string;

beforeAll(async () => {
  service = await startTestService();
  const { organizationId, accountId, posId } = service.seed;
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
      unique_asset_id, currency, decimals, amount, received_amount, reference_id, token, created_at, expires_at, counts_until,
      confirmed_at)
    SELECT gen_random_uuid(), '${organizationId}', '${accountId}', '${posId}', 'fixed',
      CASE WHEN n % 4 = 0 THEN 'expired' ELSE 'completed' END, 'sandbox', '${service.assets[0]!.unique_asset_id}', 'USDC', 6,
      25000000, CASE WHEN n % 4 = 0 THEN 0 ELSE 25000000 END, 'order-' || n, repeat('x', 700),
      now() - make_interval(secs => n * 20), now() - make_interval(secs => n * 20 - 5), now(),
      CASE WHEN n % 4 = 0 THEN NULL ELSE now() - make_interval(secs => n * 20 - 3) END
    FROM generate_series(1, ${PAYMENTS}) n;
    COMMIT;`);
  await client.query('DELETE FROM ledger.sequences');
  await client.query(fillTransactions(organizationId, accountId, PAYMENTS));
  await client.query('VACUUM ANALYZE payments.payment_requests, ledger.transactions');
  cookie = await signedIn(service.query, organizationId, 'owner');
});
afterAll(async () => {
  await client?.end();
  await service?.stop();
});

/** The rows alone, by the same index, with the exact number of them where the page says it. */
const bareRequests = (offset: number) =>
  `SELECT *, (SELECT count(*) FROM payments.payment_requests WHERE point_of_sale_id = '${service.seed.posId}') AS total
   FROM payments.payment_requests WHERE point_of_sale_id = '${service.seed.posId}'
   ORDER BY created_at DESC, id DESC LIMIT ${PAGE} OFFSET ${offset}`;
const bareTransactions = (offset: number) =>
  `SELECT * FROM ledger.transactions WHERE organization_id = '${service.seed.organizationId}'
     AND organization_sequence <= ${PAYMENTS - offset} ORDER BY organization_sequence DESC LIMIT ${PAGE_OF_TRANSACTIONS}`;
const bareDays = () =>
  `SELECT date_trunc('day', created_at), status, count(*), sum(received_amount) FROM payments.payment_requests
   WHERE organization_id = '${service.seed.organizationId}' AND created_at > now() - interval '30 days' GROUP BY 1, 2`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return median(times);
}

describe(`Pages over ${PAYMENTS.toLocaleString('en')} payments`, () => {
  it('answer whole and light, beside a bare query of the same rows', async () => {
    const pages: [path: string, bare: string][] = [
      ['/app/payments', bareRequests(0)],
      [`/app/payments?page=${LAST_PAGE}`, bareRequests(PAYMENTS - PAGE)],
      [
        '/app/payments?reference=order-77',
        `SELECT * FROM payments.payment_requests WHERE point_of_sale_id = '${service.seed.posId}' AND reference_id = 'order-77'`,
      ],
      ['/app/transactions', bareTransactions(0)],
      [
        `/app/transactions?page=${LAST_PAGE_OF_TRANSACTIONS}`,
        bareTransactions(PAYMENTS - PAGE_OF_TRANSACTIONS),
      ],
      ['/app?days=30', bareDays()],
    ];
    const rows: Record<string, object> = {};
    for (const [path, bare] of pages) {
      const open = () => fetch(service.apiUrl + path, { headers: { cookie } });
      const answer = await open();
      const html = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_BYTES);
      const page = await timed(async () => (await open()).text());
      const query = await timed(() => client.query(bare));
      rows[path] = {
        'page ms': page.toFixed(1),
        'bare query ms': query.toFixed(1),
        kB: (Buffer.byteLength(html) / 1000).toFixed(1),
        'kB gzip': (gzipSync(html).length / 1000).toFixed(1),
      };
    }
    console.table(rows);
  });
});
