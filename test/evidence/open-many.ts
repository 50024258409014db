import pg from 'pg';
import type { TestService } from '../support/service.js';

/** Rows of one statement. */
const AT_ONCE = 50_000;

/**
 * Stores open requests of the shop with their addresses, in a token or in the chain's coin, until there are so many: without
 * history and events, which subscribers would apply while others are measured. Balance sweep and audit, which read all addresses
 * once a day in steps, are over for today.
 */
export async function openRequests(
  { databaseUrl, seed, assets }: TestService,
  kind: 'token' | 'coin',
  count: number,
): Promise<void> {
  const asset = kind === 'coin' ? assets.at(-1)! : assets[0]!;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ missing: number }>(
      `SELECT $2 - count(*)::integer AS missing FROM payments.payment_requests
       WHERE unique_asset_id = $1 AND status = 'created'`,
      [asset.unique_asset_id, count],
    );
    for (let left = rows[0]!.missing; left > 0; left -= AT_ONCE)
      await client.query(OPEN, [
        ...[Math.min(left, AT_ONCE), seed.posId, asset.unique_asset_id, asset.symbol, asset.decimals],
      ]);
    await client.query(SWEPT_AND_AUDITED);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

const OPEN = `
WITH request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
  SELECT uuidv7(), p.organization_id, p.account_id, p.id, 'fixed', 'created', c.network, $3, $4, $5, 1000, 'naspip;none',
    platform.now(), platform.now() + interval '7 days', platform.now() + interval '7 days 1 minute'
  FROM generate_series(1, $1::integer), point_of_sale.points_of_sale p, payments.chain_cursors c
  WHERE p.id = $2 RETURNING id, organization_id, account_id, network
)
INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
  unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
SELECT network, '0x' || substr(encode(sha256(id::text::bytea), 'hex'), 1, 40), id, organization_id, account_id, $3, '{}',
  id, '', '', 0, platform.now() FROM request`;

const SWEPT_AND_AUDITED = `
UPDATE payments.chain_cursors SET balances_swept_to = NULL, balance_sweep_began_at = platform.now();
DELETE FROM payments.chain_audits;
INSERT INTO payments.chain_audits (network, began_at, ended_at, block_number, block_hash, seed, stage, position, addresses, transfers,
  tokens, custody_tries, held, findings)
SELECT network, platform.now(), platform.now(), head_number, head_hash, 's', 'ended', '', 0, 0, 0, 0, '{}', '[]'
FROM payments.chain_cursors`;
