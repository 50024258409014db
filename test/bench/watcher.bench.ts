import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { StubChain, WatchedDatabase } from './watcher-world.js';
import { createHash } from 'node:crypto';
let chain: StubChain;
const dbs: WatchedDatabase[] = [];
beforeAll(async () => {
  chain = await StubChain.open({ blocks: 5, logs: 200, paid: 2, calls: 150 });
  for (const n of [10_000, 100_000, 1_000_000]) { const t = performance.now(); dbs.push(await WatchedDatabase.open(chain, n, { confirmations: 12 })); process.stdout.write(`${n} filled in ${performance.now() - t}\n`); }
}, 300_000);
afterAll(async () => { for (const d of dbs) await d.close(); chain?.close(); }, 60_000);
const TEXTS = {
  any: `SELECT address, payment_request_id FROM payments.deposit_addresses WHERE network = $1 AND address = ANY($2)`,
  lateral: `SELECT a.address, a.payment_request_id FROM unnest($2::text[]) AS told (address) CROSS JOIN LATERAL (
    SELECT address, payment_request_id FROM payments.deposit_addresses d WHERE d.network = $1 AND d.address = told.address LIMIT 1) a`,
  join: `SELECT a.address, a.payment_request_id FROM unnest($2::text[]) AS told (address) JOIN payments.deposit_addresses a ON a.network = $1 AND a.address = told.address`,
};
describe('x', () => {
  it('y', async () => {
    for (let i = 0; i < 3; i += 1) for (const count of [200, 4000]) for (const d of dbs) for (const [name, text] of Object.entries(TEXTS)) {
      const to = Array.from({ length: count }, (_, k) => '0x' + createHash('sha256').update(k < count / 100 ? `address ${k * 7}` : `stranger ${k}`).digest('hex').slice(0, 40));
      const times: number[] = [];
      for (let k = 0; k < 15; k++) { const t = performance.now(); await d.platform.database.query(text, ['sandbox', to]); times.push(performance.now() - t); }
      times.sort((a, b) => a - b);
      const [{ 'QUERY PLAN': [plan] }] = await d.platform.database.query<any>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, ['sandbox', to]) as any;
      process.stdout.write(`${i} ${count} of ${d.addresses} ${name}: median ${times[7]!.toFixed(2)} min ${times[0]!.toFixed(2)} exec ${plan['Execution Time']} buffers ${plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks']} ${plan.Plan['Node Type']} ${plan.Plan.Plans?.map((p: any) => p['Node Type']) ?? ''}\n`);
    }
  }, 300_000);
});
