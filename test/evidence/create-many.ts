import pg from 'pg';
import type { CreateWorld } from './create-world.js';

/**
 * Copies one request, with its address, history and event, until there are so many: ended ones, as nearly all of a long
 * life are. The copies have the token of the original.
 */
export async function fillWithRequests({ service }: CreateWorld, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ missing: number }>(
      'SELECT $1 - count(*)::integer AS missing FROM payments.payment_requests',
      [count],
    );
    for (let left = rows[0]!.missing; left > 0; left -= 50_000)
      await client.query(COPY, [Math.min(left, 50_000)]);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

const COPY = `
WITH model AS (
  SELECT * FROM payments.payment_requests LIMIT 1
), ids AS MATERIALIZED (
  SELECT uuidv7() AS id, n FROM generate_series(1, $1::integer) AS n
), request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until)
  SELECT ids.id, organization_id, account_id, point_of_sale_id, type, 'expired', network, unique_asset_id, currency,
    decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until FROM model, ids
), address AS (
  INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
    unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
  SELECT a.network, '0x' || substr(encode(sha256(ids.id::text::bytea), 'hex'), 1, 40), ids.id, a.organization_id,
    a.account_id, a.unique_asset_id, a.derivation, a.settlement_terms_id, a.settlement_address, a.fee_recipient,
    a.fee_basis_points, a.created_at
  FROM ids, (SELECT * FROM payments.deposit_addresses LIMIT 1) a
), history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at)
  SELECT ids.id, 1, 'created', m.created_at FROM ids, model m
)
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
SELECT uuidv7(), 'bench.copied', ids.id, e.organization_id, e.account_id, e.occurred_at, e.data
FROM ids, (SELECT * FROM platform.events WHERE type = 'payment_request.status_changed' LIMIT 1) e`;
