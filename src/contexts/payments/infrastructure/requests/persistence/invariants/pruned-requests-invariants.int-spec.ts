import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPaymentLinks } from '#contexts/payments/testing/open-payment-links.js';
import { prunedRequestsInvariants } from './pruned-requests-invariants.js';

const PAST_THE_DEADLINE = 600;
const RETENTION = 168 * 3_600;

let bench: Awaited<ReturnType<typeof openPaymentLinks>>;
/** Ids of the requests of a pruned session and of an open session. */
let pruned: string;
let open: string;

const opened = async (code: string, payer: string) =>
  bench.openLink.open({ code, payerSecret: payer.repeat(32), forceNew: false, caller: '203.0.113.7' });

async function pass(seconds: number): Promise<void> {
  await bench.platform.advance(seconds);
  bench.chain.mineAt(await bench.platform.clock.now());
  await bench.follow();
}

beforeAll(async () => {
  bench = await openPaymentLinks();
  await bench.follow();
  const { code } = await bench.link();
  pruned = (await opened(code, 'p')).id;
  await pass(PAST_THE_DEADLINE);
  await pass(RETENTION);
  await bench.prune.prune();
  open = (await opened(code, 'q')).id;
});
afterAll(() => bench.platform.close('any'));

/** Returns the invariants that report the statements, which run without triggers and are then rolled back. */
async function brokenBy(...statements: string[]): Promise<string> {
  const found: string[] = [];
  const undone = new Error('undone');
  const tampering = bench.database.run(async () => {
    await bench.database.queryInTransaction('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await bench.database.queryInTransaction(statement);
    for (const { name, breaches } of prunedRequestsInvariants)
      if ((await bench.database.query(breaches)).length > 0) found.push(name);
    throw undone;
  });
  await expect(tampering).rejects.toBe(undone);
  return found.sort().join(' ');
}

const COPY = `INSERT INTO payments.pruned_requests
  SELECT r.id, c.session_id, p.request_value, p.checkout_value, r.amount, r.created_at, r.expires_at, r.counts_until,
    platform.now() FROM payments.pruned_requests p, payments.payment_requests r
  JOIN payments.checkouts c ON c.payment_request_id = r.id`;

describe('The check of the invariants of pruned requests', () => {
  const changes = (): [string, ...string[]][] => [
    ['histories-have-their-request', `DELETE FROM payments.payment_requests WHERE id = '${open}'`],
    [
      'pruned-addresses-are-those-shown pruned-requests-ended-unpaid',
      `${COPY} WHERE r.id = '${open}'`,
      `DELETE FROM payments.payment_requests WHERE id = '${open}'`,
    ],
    ['histories-have-their-request', `DELETE FROM payments.pruned_requests WHERE id = '${pruned}'`],
    [
      'pruned-requests-ended-unpaid',
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), 'payment_request.deposit_received', aggregate_id, organization_id, account_id,
         occurred_at, '{}' FROM platform.events WHERE aggregate_id = '${pruned}' LIMIT 1`,
    ],
    [
      'pruned-addresses-are-those-shown',
      `DELETE FROM payments.pruned_addresses WHERE payment_request_id = '${pruned}'`,
    ],
    [
      'pruned-values-are-as-digested',
      `UPDATE payments.pruned_values SET value = value || '{"settlement_address": "0x00"}' WHERE value ? 'derivation'`,
    ],
  ];

  it('reports nothing without a change, and detects every change that no use case makes', async () => {
    expect(await brokenBy()).toBe('');
    for (const [reportedBy, ...statements] of changes())
      expect([statements, await brokenBy(...statements)]).toEqual([statements, reportedBy]);
  });
});
