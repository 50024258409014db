import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import {
  RecordedTransfers,
  type OwnedTransfer,
  type RecordedPayout,
} from '../../domain/recorded-transfers.js';
import type { RecordedTransfer } from '../../domain/transfer.js';
import { orphanTransfers } from './orphan-transfers.js';
import { readTransfer, TRANSFER_JSON, type TransferJson } from './recorded-transfer.js';

interface OwnedRow {
  payment_request_id: PaymentRequestId;
  transfer: TransferJson;
}

@Injectable()
export class PostgresRecordedTransfers extends RecordedTransfers {
  constructor(private readonly database: Database) {
    super();
  }

  async owners(network: string, addresses: readonly string[]): Promise<Map<string, PaymentRequestId>> {
    const rows = await this.database.query<{ address: string; payment_request_id: PaymentRequestId }>(
      `SELECT address, payment_request_id FROM payments.deposit_addresses WHERE network = $1 AND address = ANY($2)`,
      [network, addresses],
    );
    return new Map(rows.map((row) => [row.address, row.payment_request_id]));
  }

  async between(network: string, from: number, to: number): Promise<OwnedTransfer[]> {
    const rows = await this.database.query<OwnedRow>(
      `SELECT t.payment_request_id, ${TRANSFER_JSON} AS transfer FROM payments.transfers t
       WHERE t.network = $1 AND t.block_number BETWEEN $2 AND $3 AND t.canonical AND t.kind IN ('log', 'call')`,
      [network, from, to],
    );
    return rows.map(toOwned);
  }

  async awaitingAgreement(network: string, limit: number): Promise<OwnedTransfer[]> {
    const rows = await this.database.query<OwnedRow>(
      `SELECT t.payment_request_id, ${TRANSFER_JSON} AS transfer FROM payments.transfers t
       WHERE t.network = $1 AND t.canonical AND t.awaits_agreement ORDER BY t.block_number LIMIT $2`,
      [network, limit],
    );
    return rows.map(toOwned);
  }

  async finalize(network: string, finalNumber: number, limit: number): Promise<PaymentRequestId[]> {
    const rows = await this.database.write<{ payment_request_id: PaymentRequestId }>(
      // All of a request's at once, so that none is judged by transfers of which some are not marked yet.
      `WITH waiting AS MATERIALIZED (
         SELECT payment_request_id FROM payments.transfers
         WHERE network = $1 AND canonical AND NOT final AND NOT awaits_agreement AND block_number <= $2
         ORDER BY block_number LIMIT $3)
       UPDATE payments.transfers SET final = true
       WHERE payment_request_id IN (SELECT payment_request_id FROM waiting)
         AND network = $1 AND canonical AND NOT final AND NOT awaits_agreement AND block_number <= $2
       RETURNING payment_request_id`,
      [network, finalNumber, limit],
    );
    return rows.map((row) => row.payment_request_id);
  }

  drop(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>> {
    return orphanTransfers(this.database, 'id = ANY($1)', [transferIds]);
  }

  async addPayouts(network: string, payouts: readonly RecordedPayout[]): Promise<void> {
    if (payouts.length === 0) return;
    await this.database.write(
      `INSERT INTO payments.native_payouts
         (network, transaction_hash, log_index, block_number, block_hash, address, amount)
       SELECT $1, * FROM UNNEST($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::numeric[])
       ON CONFLICT (network, transaction_hash, log_index) DO NOTHING`,
      [
        network,
        payouts.map((payout) => payout.transactionHash),
        payouts.map((payout) => payout.logIndex),
        payouts.map((payout) => payout.blockNumber),
        payouts.map((payout) => payout.blockHash),
        payouts.map((payout) => payout.address),
        payouts.map((payout) => payout.amount.toString()),
      ],
    );
  }
}

function toOwned({ payment_request_id, transfer }: OwnedRow): OwnedTransfer {
  return { paymentRequestId: payment_request_id, transfer: readTransfer(transfer) };
}
