import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Database } from '#shared/platform/database/database.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  NativePayouts,
  whole,
  type RecordedPayout,
} from '#contexts/payments/domain/watching/payouts/recorded-payouts.js';

type Place = 'transactionHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'blockTime' | 'from' | 'address';
type TakenRow = Pick<RecordedPayout, Place> & { amount: bigint; feeBasisPoints: number };

const NOT_TAKEN_OVER = `
SELECT n.transaction_hash, n.log_index, n.block_number, n.block_hash, b.time AS block_time,
  lower(a.derivation ->> 'factory') AS "from", n.address, n.amount, a.fee_basis_points
FROM payments.native_payouts n JOIN payments.deposit_addresses a USING (network, address, tag)
LEFT JOIN payments.blocks b ON b.network = n.network AND b.number = n.block_number
WHERE n.network = $1 AND a.derivation ? 'factory' AND NOT EXISTS (SELECT FROM payments.payouts p
  WHERE p.network = n.network AND p.transaction_hash = n.transaction_hash AND p.log_index = n.log_index AND p.canonical)
ORDER BY n.block_number, n.transaction_hash FETCH FIRST $2 ROWS WITH TIES`;

@Injectable()
export class PostgresNativePayouts extends NativePayouts {
  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {
    super();
  }

  async add(network: string, payouts: readonly RecordedPayout[]): Promise<void> {
    const coins = this.catalogue.assets().filter((asset) => asset.network === network && isNative(asset));
    const native = payouts.filter((payout) =>
      coins.some(({ uniqueAssetId }) => uniqueAssetId === payout.uniqueAssetId),
    );
    if (native.length === 0) return;
    await this.database.write(
      // The address of a pruned request has no row that the table refers to.
      `INSERT INTO payments.native_payouts
         (network, transaction_hash, log_index, block_number, block_hash, address, amount)
       SELECT $1, n.* FROM UNNEST($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::numeric[])
         AS n (hash, index, block_number, block_hash, address, amount)
       JOIN payments.deposit_addresses a ON a.network = $1 AND a.address = n.address AND a.tag = ''
       ON CONFLICT (network, transaction_hash, log_index) DO NOTHING`,
      [
        network,
        native.map((payout) => payout.transactionHash),
        native.map((payout) => payout.logIndex),
        native.map((payout) => payout.blockNumber),
        native.map((payout) => payout.blockHash),
        native.map((payout) => payout.address),
        native.map((payout) => whole(payout).toString()),
      ],
    );
  }

  async notTakenOver(network: string, limit: number): Promise<RecordedPayout[]> {
    const coin = this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
    if (coin === undefined) return [];
    const rows = await this.database.query<TakenRow>(NOT_TAKEN_OVER, [network, limit]);
    const { uniqueAssetId, symbol: currency, decimals } = coin;
    return rows.map(({ amount, feeBasisPoints, ...row }) => {
      const toFee = (amount * BigInt(feeBasisPoints)) / 10_000n;
      return { ...row, uniqueAssetId, currency, decimals, toSettlement: amount - toFee, toFee };
    });
  }

  async drop(network: string, payouts: readonly RecordedPayout[]): Promise<void> {
    if (payouts.length === 0) return;
    await this.database.write(
      `DELETE FROM payments.native_payouts p USING UNNEST($2::text[], $3::integer[]) AS gone (hash, index)
       WHERE p.network = $1 AND p.transaction_hash = gone.hash AND p.log_index = gone.index`,
      [network, payouts.map((payout) => payout.transactionHash), payouts.map((payout) => payout.logIndex)],
    );
  }
}
