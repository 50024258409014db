import { Injectable } from '@nestjs/common';
import { Database } from '../../../../../shared/platform/database/database.js';
import {
  FIRST_PAUSE_SECONDS,
  LONGEST_PAUSE_SECONDS,
  SetAside,
  type AsidePayout,
  type Difference,
} from '../../../domain/settling/set-aside.js';

@Injectable()
export class PostgresSetAside extends SetAside {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(network: string, differences: readonly Difference[]): Promise<Difference[]> {
    if (differences.length === 0) return [];
    const rows = await this.database.query<Difference>(
      `WITH given AS (
         SELECT * FROM UNNEST($2::text[], $3::text[], $4::text[], $5::text[]) AS t (address, asset, reason, says)
       ), before AS (
         SELECT s.address, s.unique_asset_id, s.reason FROM settlement.set_aside s
         JOIN given g ON g.address = s.address AND g.asset = s.unique_asset_id WHERE s.network = $1
       ), stored AS (
         INSERT INTO settlement.set_aside AS s (network, address, unique_asset_id, reason, says, since, times, retry_at)
         SELECT $1, address, asset, reason, says, platform.now(), 1, platform.now() + make_interval(secs => $6) FROM given
         ORDER BY address, asset
         ON CONFLICT (network, address, unique_asset_id) DO UPDATE SET reason = excluded.reason, says = excluded.says,
           times = s.times + 1,
           retry_at = platform.now() + make_interval(secs => least($7, $6 * 2 ^ least(s.times, 20)))
         RETURNING s.address, s.unique_asset_id, s.reason, s.says
       )
       SELECT address, unique_asset_id AS "uniqueAssetId", reason, says FROM stored
       WHERE (address, unique_asset_id, reason) NOT IN (SELECT address, unique_asset_id, reason FROM before)
       ORDER BY address, unique_asset_id`,
      [
        network,
        ...(['address', 'uniqueAssetId', 'reason', 'says'] as const).map((field) =>
          differences.map((each) => each[field]),
        ),
        ...[FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS],
      ],
    );
    return rows;
  }

  override async remove(
    network: string,
    payouts: readonly Pick<Difference, 'address' | 'uniqueAssetId'>[],
  ): Promise<void> {
    await this.database.query(
      `DELETE FROM settlement.set_aside s WHERE network = $1
         AND ((address, unique_asset_id) IN (SELECT * FROM UNNEST($2::text[], $3::text[]))
           OR NOT EXISTS (SELECT FROM settlement.waiting w WHERE w.network = s.network AND w.address = s.address
             AND w.unique_asset_id = s.unique_asset_id AND w.amount > 0))`,
      [network, payouts.map(({ address }) => address), payouts.map(({ uniqueAssetId }) => uniqueAssetId)],
    );
  }

  override async retryAll(network: string): Promise<number> {
    const rows = await this.database.query(
      `UPDATE settlement.set_aside SET retry_at = platform.now()
       WHERE network = $1 AND retry_at > platform.now() RETURNING address`,
      [network],
    );
    return rows.length;
  }

  override list(network: string, most: number): Promise<AsidePayout[]> {
    return this.database.query<AsidePayout>(
      `SELECT network, address, unique_asset_id AS "uniqueAssetId", reason, says, since, times, retry_at AS "retryAt"
       FROM settlement.set_aside WHERE network = $1 ORDER BY since, address LIMIT $2`,
      [network, most],
    );
  }
}
