import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.js';
import { migrate, MIGRATIONS } from './migrate.js';

const ADDS_SUMS = '1795363202000';
const [DIRECT, CHOSEN, PAID, ENDED] = [1, 2, 3, 4].map((n) => `00000000-0000-7000-8000-00000000000${n}`);

let database: TestDatabase;
let client: pg.Client;
let before: string;

beforeEach(async () => {
  database = await createTestDatabase('template0');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  before = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const file of readdirSync(MIGRATIONS))
    if (file < ADDS_SUMS) cpSync(new URL(file, MIGRATIONS), join(before, file));
  await migrate(database.url, [pathToFileURL(`${before}/`)]);
});
afterEach(async () => {
  rmSync(before, { recursive: true });
  await client.end();
  await database.drop();
});

/** Two minutes before its deadline, asked for 100 dollars. */
async function request(id: string, status: string, received: number): Promise<void> {
  await client.query(
    `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
       unique_asset_id, currency, decimals, amount, received_amount, token, created_at, expires_at, counts_until,
       confirmed_at, version)
     VALUES ($1, $1, $1, $1, 'fixed', $2, 'one', 'none_tusd', 'USD', 6, 100, $3, 'naspip;none', '2026-01-01 12:00Z',
       '2026-01-01 12:10Z', '2026-01-01 12:11Z', CASE WHEN $2 = 'completed' THEN now() END, 7)`,
    [id, status, received],
  );
  await client.query(
    `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
       unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
     VALUES ('one', '0x' || $1::text, $1::uuid, $1::uuid, $1::uuid, 'none_tusd', '{}', $1::uuid, '0x', '0x', 0, now())`,
    [id],
  );
}

/** Both assets have one address. */
async function chosen(id: string): Promise<void> {
  await client.query(
    `INSERT INTO payments.checkouts (payment_request_id, organization_id, account_id, session_id, amount, coin_code,
       payment_options, merchant, created_at) VALUES ($1, $1, $1, repeat('A', 32), '1', 'USD', '{none_tusd,none_teur}', '{}', now())`,
    [id],
  );
  await client.query(
    `INSERT INTO payments.selections (payment_request_id, unique_asset_id, organization_id, account_id, network, currency,
       decimals, amount, inclusion_grace_seconds, address, selected_at)
     SELECT $1::uuid, asset, $1::uuid, $1::uuid, 'one', 'USD', 6, 100, 60, '0x' || $1::text, now()
     FROM UNNEST(ARRAY['none_tusd', 'none_teur']) AS asset`,
    [id],
  );
}

async function transfer(
  id: string,
  amount: number,
  block: number,
  marks: { counted?: boolean; final?: boolean; asset?: string; minute?: number },
): Promise<void> {
  const { counted = true, final = true, asset = 'none_tusd', minute = 5 } = marks;
  await client.query(
    `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
       unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount, payment_request_id,
       organization_id, account_id, counted, final, detected_at)
     VALUES (gen_random_uuid(), 'one', 'log', gen_random_uuid()::text, 0, $3, '0x', '2026-01-01 12:00Z'::timestamptz
       + make_interval(mins => $7), $4, 'USD', 6, 1, '0x', '0x' || $1::text, $2, $1::uuid, $1::uuid, $1::uuid, $5, $6, now())`,
    [id, amount, block, asset, counted, final, minute],
  );
}

describe('A database of a version that kept no sums', () => {
  it('has the sums of its open requests, of every selection', async () => {
    await request(DIRECT!, 'processing', 45);
    await transfer(DIRECT!, 10, 3, {});
    await transfer(DIRECT!, 20, 4, {});
    await transfer(DIRECT!, 15, 6, { final: false });
    await request(CHOSEN!, 'processing', 1);
    await chosen(CHOSEN!);
    await transfer(CHOSEN!, 1, 3, {});
    await transfer(CHOSEN!, 60, 4, { counted: false, asset: 'none_teur' });
    await transfer(CHOSEN!, 70, 9, { counted: false, asset: 'none_teur', minute: 30 });
    await request(PAID!, 'processing', 130);
    await transfer(PAID!, 100, 3, {});
    await transfer(PAID!, 30, 9, { final: false });
    await request(ENDED!, 'completed', 100);
    await transfer(ENDED!, 100, 3, {});

    await migrate(database.url);

    const { rows } = await client.query<{ sums: string }>(
      `SELECT right(payment_request_id::text, 1) || ' ' || concat_ws(' ', unique_asset_id, seen_amount, final_amount, final_to) AS sums
       FROM payments.received_sums ORDER BY 1`,
    );
    expect(rows.map(({ sums }) => sums)).toEqual([
      '1 none_tusd 45 30 5',
      '2 none_teur 60 60 4',
      '2 none_tusd 1 1 3',
      // Decided by a block that is looked for anew.
      '3 none_tusd 130 0 -1',
    ]);
    const behind = await client.query(
      `SELECT FROM payments.payment_requests WHERE status = 'processing' AND sums_at_version <> version`,
    );
    expect(behind.rowCount).toBe(0);
    const counted = await client.query<{ amount: string }>(
      `SELECT amount FROM payments.transfers WHERE payment_request_id = $1 AND counted ORDER BY amount`,
      [CHOSEN],
    );
    expect(counted.rows.map(({ amount }) => amount)).toEqual(['1', '60']);
  });
});
