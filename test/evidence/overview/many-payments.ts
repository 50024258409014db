import type pg from 'pg';
import { FIGURES } from '#contexts/figures/infrastructure/persistence/postgres-daily-figures.js';
import { ATTENTION, STANDING } from '#dashboard/overview/standing.js';

export const ORGANIZATION = '01800000-0000-7000-8000-00000000aaaa';
export const ACCOUNTS = 20;
const ID = `('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const ACCOUNT = `('01800000-0000-7000-8000-' || lpad((n % ${ACCOUNTS})::text, 12, '0'))::uuid`;
/** One payment of four is in another asset, and one has expired. Each is at a time of the last 120 days. */
const ASSET = `CASE n % 4 WHEN 0 THEN 'nsandbox_tB' ELSE 'nsandbox_tA' END`;
const IS_PAID = 'n % 4 <> 3';
const AT = `now() - make_interval(secs => n::bigint * 7919 % (120 * 86400))`;

/** Statements that add payments, without what they refer to: run without triggers and foreign keys. */
export function payments(from: number, to: number): string[] {
  const numbers = `generate_series(${from + 1}, ${to}) n`;
  return [
    `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
       unique_asset_id, currency, decimals, amount, received_amount, token, created_at, expires_at, counts_until, confirmed_at)
     SELECT ${ID}, '${ORGANIZATION}', ${ACCOUNT}, ${ACCOUNT}, 'fixed', CASE WHEN ${IS_PAID} THEN 'completed' ELSE 'expired' END,
       'sandbox', ${ASSET}, 'A', 6, 25000000, CASE WHEN ${IS_PAID} THEN 25000000 ELSE 0 END, '', ${AT}, ${AT}, ${AT},
       CASE WHEN ${IS_PAID} THEN ${AT} + make_interval(secs => n % 700) END
     FROM ${numbers}`,
    `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
       unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount, payment_request_id,
       organization_id, account_id, counted, final, detected_at, deposited_at)
     SELECT ${ID}, 'sandbox', 'log', n::text, 0, n, n::text, ${AT}, ${ASSET}, 'A', 6, 1, '', '', 100, ${ID},
       '${ORGANIZATION}', ${ACCOUNT}, false, true, ${AT}, ${AT}
     FROM ${numbers} WHERE n % 50 = 0`,
    `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
       decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at, updated_at)
     SELECT ${ID}, ${ID}, '${ORGANIZATION}', ${ACCOUNT}, 'sandbox', ${ASSET}, 'A', 6, 100, 1, '', '', '', 1, 'completed',
       ${AT}, now() FROM ${numbers} WHERE n % 20 = 0`,
    `INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name,
       network, token, unique_asset_id, currency, decimals, amount, status, to_address, approved_at, approved_by, float_address,
       transaction_hash, created_at, updated_at)
     SELECT ${ID}, '${ORGANIZATION}', ${ACCOUNT}, ${ID}, ${ACCOUNT}, '', 'sandbox', '0xa', ${ASSET}, 'A', 6, 10, 'completed',
       '0x', ${AT}, '', '', '0x', ${AT}, ${AT} FROM ${numbers} WHERE n % 30 = 0`,
    `INSERT INTO settlement.refunded_sums (payment_request_id, unique_asset_id, organization_id, account_id, received, refunded)
     SELECT ${ID}, ${ASSET}, '${ORGANIZATION}', ${ACCOUNT}, 100, 10 FROM ${numbers} WHERE n % 30 = 0`,
    `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     SELECT ${ID}, 'payment_request.received_changed', ${ID}, '${ORGANIZATION}', ${ACCOUNT}, now(), '{}' FROM ${numbers}`,
    ...(from > 0
      ? []
      : [
          `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ('${ORGANIZATION}', 'Shop', now(), now())`,
          `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
           SELECT ${ACCOUNT}, '${ORGANIZATION}', n::text, 'Account', now(), now() FROM generate_series(1, ${ACCOUNTS}) n`,
          `INSERT INTO ledger.balances (organization_id, account_id, ledger_account, unique_asset_id, amount)
           SELECT '${ORGANIZATION}', ${ACCOUNT}, ledger_account, asset, 100 FROM generate_series(1, ${ACCOUNTS}) n,
             unnest('{custody,in_flight,refund_float,fees_delivered,merchant_payable,service_fees}'::text[]) ledger_account,
             unnest('{nsandbox_tA,nsandbox_tB}'::text[]) asset`,
        ]),
  ];
}

interface Statement {
  readonly text: string;
  readonly types: readonly string[];
  readonly values: readonly string[];
}

const SCOPE = { types: ['uuid', 'uuid'], values: [`'${ORGANIZATION}'`, 'NULL'] };

/** The statements of the page, for thirty days and as many before. */
export const STATEMENTS: Readonly<Record<string, Statement>> = {
  figures: {
    text: FIGURES,
    types: [...SCOPE.types, 'text', 'text'],
    values: [...SCOPE.values, `(now() - interval '59 days')::date::text`, `'figures'`],
  },
  'money now': { text: STANDING, types: ['uuid'], values: [SCOPE.values[0]!] },
  attention: {
    text: ATTENTION,
    types: ['uuid', 'timestamptz'],
    values: [SCOPE.values[0]!, `now() - interval '30 days'`],
  },
};

/** Milliseconds that PostgreSQL takes to execute it, the least of some. */
export async function timeOf(
  client: pg.Client,
  text: string,
  types: readonly string[],
  values: readonly string[],
): Promise<number> {
  await client.query(`PREPARE timed (${types.join(', ')}) AS ${text}`);
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE timed (${values.join(', ')})`,
    );
    times.push(rows[0]!['QUERY PLAN'][0]['Execution Time']);
  }
  await client.query('DEALLOCATE timed');
  return Math.min(...times);
}
