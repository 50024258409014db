import { canonicalAddressSql } from '#contexts/networks/contract/address-spelling.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import {
  FAILURES_FORGOTTEN_AFTER_SECONDS,
  FIRST_SET_ASIDE_PAUSE_SECONDS,
  FIRST_TERMS_PAUSE_SECONDS,
  MAX_SET_ASIDE_PAUSE_SECONDS,
  MAX_TERMS_PAUSE_SECONDS,
  type SetAsidePayout,
  type PayoutAddressAndAsset,
  type PlanDifference,
  type FailingTerms,
} from '#contexts/settlement/domain/settling/set-aside.js';

const FAILING_TERMS_COLUMNS = `network, settlement_address, unique_asset_id, says, times, failed_at, retry_at`;

/** Stored settlement addresses may be in mixed case. */
const SELECT_TERMS_OF_PAYOUTS = `SELECT DISTINCT ${canonicalAddressSql('k.settlement_address')} AS settlement_address, t.asset
  FROM UNNEST($2::text[], $3::text[]) AS t (address, asset)
  CROSS JOIN LATERAL (SELECT settlement_address FROM payments.public_known_addresses a
    WHERE a.network = $1 AND a.address = t.address LIMIT 1) k`;

/** Payouts that are excluded temporarily, so that all other payouts can proceed. */
@Injectable()
export class SetAsidePayouts {
  constructor(private readonly database: Database) {}

  /** The pause is longer each time. Returns payouts that were not already set aside for the same reason. */
  async add(network: string, differences: readonly PlanDifference[]): Promise<PlanDifference[]> {
    if (differences.length === 0) return [];
    const rows = await this.database.query<PlanDifference>(
      `WITH differing AS (
         SELECT * FROM UNNEST($2::text[], $3::text[], $4::text[], $5::text[]) AS t (address, asset, reason, says)
       ), before AS (
         SELECT s.address, s.unique_asset_id, s.reason FROM settlement.set_aside s
         JOIN differing g ON g.address = s.address AND g.asset = s.unique_asset_id WHERE s.network = $1
       ), stored AS (
         INSERT INTO settlement.set_aside AS s (network, address, unique_asset_id, reason, says, since, times, retry_at)
         SELECT $1, address, asset, reason, says, platform.now(), 1, platform.now() + make_interval(secs => $6) FROM differing
         ORDER BY address, asset
         ON CONFLICT (network, address, unique_asset_id) DO UPDATE SET reason = excluded.reason, says = excluded.says,
           times = s.times + 1,
           retry_at = platform.now() + make_interval(secs => least($7, $6 * 2 ^ least(s.times, 20)))
         RETURNING s.address, s.unique_asset_id, s.reason, s.says
       )
       SELECT address, unique_asset_id, reason, says FROM stored
       WHERE (address, unique_asset_id, reason) NOT IN (SELECT address, unique_asset_id, reason FROM before)
       ORDER BY address, unique_asset_id`,
      [
        network,
        ...(['address', 'uniqueAssetId', 'reason', 'says'] as const).map((field) =>
          differences.map((each) => each[field]),
        ),
        ...[FIRST_SET_ASIDE_PAUSE_SECONDS, MAX_SET_ASIDE_PAUSE_SECONDS],
      ],
    );
    return rows;
  }

  /** Ends also the exclusion of addresses without a waiting balance. */
  async remove(network: string, payouts: readonly PayoutAddressAndAsset[]): Promise<void> {
    await this.database.query(
      `DELETE FROM settlement.set_aside s WHERE network = $1
         AND ((address, unique_asset_id) IN (SELECT * FROM UNNEST($2::text[], $3::text[]))
           OR NOT EXISTS (SELECT FROM settlement.waiting w WHERE w.network = s.network AND w.address = s.address
             AND w.unique_asset_id = s.unique_asset_id AND w.amount > 0))`,
      payoutKeyColumns(network, payouts),
    );
  }

  /**
   * Excludes all payouts of the terms (settlement address and asset) with a longer pause each time. Counts one
   * failure per terms.
   */
  async addFailingTerms(
    network: string,
    payouts: readonly PayoutAddressAndAsset[],
    says: string,
  ): Promise<FailingTerms[]> {
    if (payouts.length === 0) return [];
    return this.database.query<FailingTerms>(
      `WITH forgotten AS (
         DELETE FROM settlement.failing_terms WHERE network = $1 AND failed_at < platform.now() - make_interval(secs => $7)
           AND (settlement_address, unique_asset_id) NOT IN (${SELECT_TERMS_OF_PAYOUTS})
       )
       INSERT INTO settlement.failing_terms AS f (network, settlement_address, unique_asset_id, says, times, failed_at, retry_at)
       SELECT $1, settlement_address, asset, $4, 1, platform.now(), platform.now() + make_interval(secs => $5)
       FROM (${SELECT_TERMS_OF_PAYOUTS}) failed ORDER BY settlement_address, asset
       ON CONFLICT (network, settlement_address, unique_asset_id) DO UPDATE SET says = excluded.says,
         times = CASE WHEN f.failed_at < platform.now() - make_interval(secs => $7) THEN 1 ELSE f.times + 1 END,
         failed_at = excluded.failed_at, retry_at = platform.now() + make_interval(secs => least($6, $5 * 4 ^ least(10,
           CASE WHEN f.failed_at < platform.now() - make_interval(secs => $7) THEN 0 ELSE f.times END)))
       RETURNING ${FAILING_TERMS_COLUMNS}`,
      [
        ...payoutKeyColumns(network, payouts),
        ...[says, FIRST_TERMS_PAUSE_SECONDS, MAX_TERMS_PAUSE_SECONDS, FAILURES_FORGOTTEN_AFTER_SECONDS],
      ],
    );
  }

  /** The number of failures stays stored. */
  async endFailingTermsPause(network: string, payouts: readonly PayoutAddressAndAsset[]): Promise<void> {
    if (payouts.length === 0) return;
    await this.database.query(
      `UPDATE settlement.failing_terms SET retry_at = NULL WHERE network = $1 AND retry_at IS NOT NULL
         AND (settlement_address, unique_asset_id) IN (${SELECT_TERMS_OF_PAYOUTS})`,
      payoutKeyColumns(network, payouts),
    );
  }

  listFailingTerms(network: string, most: number): Promise<FailingTerms[]> {
    return this.database.query<FailingTerms>(
      `SELECT ${FAILING_TERMS_COLUMNS} FROM settlement.failing_terms WHERE network = $1 AND retry_at IS NOT NULL
       ORDER BY retry_at DESC, settlement_address, unique_asset_id LIMIT $2`,
      [network, most],
    );
  }

  async endAllPauses(network: string): Promise<number> {
    const rows = await this.database.query(
      `WITH terms AS (
         UPDATE settlement.failing_terms SET retry_at = platform.now()
         WHERE network = $1 AND retry_at > platform.now() RETURNING settlement_address
       ), payouts AS (
         UPDATE settlement.set_aside SET retry_at = platform.now()
         WHERE network = $1 AND retry_at > platform.now() RETURNING address
       )
       SELECT * FROM terms UNION ALL SELECT * FROM payouts`,
      [network],
    );
    return rows.length;
  }

  list(network: string, most: number): Promise<SetAsidePayout[]> {
    return this.database.query<SetAsidePayout>(
      `SELECT network, address, unique_asset_id, reason, says, since, times, retry_at
       FROM settlement.set_aside WHERE network = $1 ORDER BY since, address LIMIT $2`,
      [network, most],
    );
  }
}

function payoutKeyColumns(network: string, payouts: readonly PayoutAddressAndAsset[]): unknown[] {
  return [network, payouts.map(({ address }) => address), payouts.map(({ uniqueAssetId }) => uniqueAssetId)];
}
