import { DOLLAR, NETWORK } from './collecting-world.js';
import type { Payments } from './open-payments.js';

/** That many requests as their creation leaves them, in four statements, but for what their events say of the address. */
export async function storeOpenRequests({ platform, point }: Payments, count: number): Promise<void> {
  const { database } = platform;
  platform.makesUp(['addresses-match-events']);
  const born = [count, point.organizationId, point.accountId, point.id, NETWORK, DOLLAR.uniqueAssetId];
  await database.query(
    `WITH request AS (
       INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
         unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
       SELECT gen_random_uuid(), $2::uuid, $3::uuid, $4::uuid, 'fixed', 'created', $5, $6, 'USDX', 6, 10000000, 'naspip;none',
         platform.now(), platform.now() + interval '8 minutes', platform.now() + interval '9 minutes'
       FROM generate_series(1, $1::integer) RETURNING id
     ), address AS (
       INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
         unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient,
         fee_basis_points, created_at)
       SELECT $5, '0x' || substr(encode(sha256(id::text::bytea), 'hex'), 1, 40), id, $2, $3, $6, '{}', id, '0x',
         '0x', 0, platform.now() FROM request
     ), history AS (
       INSERT INTO payments.status_history (payment_request_id, step, status, at)
       SELECT id, 1, 'created', platform.now() FROM request
     )
     INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     SELECT gen_random_uuid(), 'payment_request.status_changed', id, $2, $3, platform.now(),
       '{"status": "created"}' FROM request`,
    born,
  );
  await database.query('ANALYZE payments.payment_requests, payments.deposit_addresses');
}
