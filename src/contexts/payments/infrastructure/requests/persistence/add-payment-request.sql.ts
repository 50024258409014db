import { isWatched } from './reading-progress.sql.js';

/**
 * Stores a new request whole in one statement, or nothing where what it was made from has changed meanwhile or its
 * network is not watched well enough.
 * Answers one row: `current`, `watched`.
 */
export const ADD_PAYMENT_REQUEST = `
WITH gate AS MATERIALIZED (
  SELECT EXISTS (SELECT 1 FROM point_of_sale.public_point_of_sale_versions p
                 WHERE p.id = $4 AND p.organization_id = $2 AND p.account_id = $3 AND p.version = $5) AS current,
         ${isWatched('$6')} AS watched
), request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until)
  SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, 'fixed', 'created', $6, $7, $8, $9::smallint, $10::numeric, $11,
    $12::jsonb, $26, $13::timestamptz, $14::timestamptz, $15::timestamptz
  FROM gate WHERE current AND watched
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
    unique_asset_id, tag, derivation, settlement_terms_id, settlement_address, fee_recipient,
    fee_basis_points, created_at)
  SELECT $6, $16, id, $2, $3, $7, $17, $18::jsonb, $19::uuid, $20, $21, $22::integer, $13 FROM request
), history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at)
  SELECT id, 1, 'created', $13 FROM request
), event AS (
  INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT $23::uuid, $24, id, $2, $3, $13, $25::jsonb FROM request
)
SELECT current, watched FROM gate`;
