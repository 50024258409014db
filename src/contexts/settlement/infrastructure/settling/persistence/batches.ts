import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type {
  Batch,
  BatchPayout,
  BatchState,
  ChosenBatch,
} from '#contexts/settlement/domain/settling/batch.js';

interface BatchRow extends Omit<Batch, 'call'> {
  readonly to: string;
  readonly data: string;
  readonly gas: number;
}

const BATCH_COLUMNS = `id, network, sender, recipient AS "to", '0x' || encode(data, 'hex') AS data, gas_limit AS gas, payout_count, state,
  transaction_hash, created_at, updated_at`;

export const SELECT_PAYOUTS_IN_OPEN_BATCHES = `SELECT p.address, p.unique_asset_id FROM settlement.batches o
  JOIN settlement.batch_payouts p ON p.batch_id = o.id
  WHERE o.network = $1 AND o.state IN ('chosen', 'sent', 'delivered')`;

@Injectable()
export class Batches {
  constructor(private readonly database: Database) {}

  /** Stores the exact call before it is sent. False if another batch is in flight for the network and sender. */
  addChosen({ id, network, sender, call, payouts }: ChosenBatch): Promise<boolean> {
    return this.database.run(async () => {
      const stored = await this.database.queryInTransaction(
        `INSERT INTO settlement.batches (id, network, sender, recipient, data, gas_limit, payout_count, state, created_at,
           updated_at)
         VALUES ($1, $2, $3, $4, decode(substr($5, 3), 'hex'), $6, $7, 'chosen', platform.now(), platform.now())
         ON CONFLICT (network, sender) WHERE state IN ('chosen', 'sent') DO NOTHING RETURNING id`,
        [id, network, sender, call.to, call.data, call.gas.toString(), payouts.length],
      );
      if (stored.length === 0) return false;
      await this.database.queryInTransaction(
        `INSERT INTO settlement.batch_payouts (batch_id, number, organization_id, account_id, payment_request_id, address,
           unique_asset_id, to_settlement, to_fee)
         SELECT $1, number, "organizationId", "accountId", "paymentRequestId", address, "uniqueAssetId", "toSettlement",
           "toFee"
         FROM jsonb_to_recordset($2::jsonb) AS t (number int, "organizationId" uuid, "accountId" uuid,
           "paymentRequestId" uuid, address text, "uniqueAssetId" text, "toSettlement" numeric, "toFee" numeric)`,
        [
          id,
          JSON.stringify(
            payouts.map(({ toSettlement, toFee, ...each }, i) => ({
              number: i + 1,
              ...each,
              toSettlement: `${toSettlement}`,
              toFee: `${toFee}`,
            })),
          ),
        ],
      );
      return true;
    });
  }

  async listOpen(network: string): Promise<Batch[]> {
    const rows = await this.database.query<BatchRow>(
      `SELECT ${BATCH_COLUMNS} FROM settlement.batches
       WHERE network = $1 AND state IN ('chosen', 'sent', 'delivered') ORDER BY created_at, id`,
      [network],
    );
    return rows.map(toBatch);
  }

  /** False if the stored state is no longer `batch.state`. */
  async changeState(batch: Batch, state: BatchState, transactionHash: string | null): Promise<boolean> {
    const moved = await this.database.query(
      `UPDATE settlement.batches SET state = $3, transaction_hash = COALESCE($4, transaction_hash),
         updated_at = greatest(created_at, platform.now())
       WHERE id = $1 AND state = $2 RETURNING id`,
      [batch.id, batch.state, state, transactionHash],
    );
    return moved.length > 0;
  }

  async newest(network: string, count: number): Promise<Batch[]> {
    const rows = await this.database.query<BatchRow>(
      `SELECT ${BATCH_COLUMNS} FROM settlement.batches WHERE network = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
      [network, count],
    );
    return rows.map(toBatch);
  }

  async isSettlementRecorded(network: string, transactionHash: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM settlement.settlements WHERE network = $1 AND transaction_hash = $2 LIMIT 1`,
      [network, transactionHash],
    );
    return rows.length > 0;
  }

  async payouts(id: string): Promise<BatchPayout[]> {
    return this.database.query<BatchPayout>(
      `SELECT organization_id, account_id, payment_request_id, address, unique_asset_id, to_settlement, to_fee
       FROM settlement.batch_payouts WHERE batch_id = $1 ORDER BY number`,
      [id],
    );
  }
}

function toBatch({ to, data, gas, ...row }: BatchRow): Batch {
  return { ...row, call: { to, data, gas: BigInt(gas) } };
}
