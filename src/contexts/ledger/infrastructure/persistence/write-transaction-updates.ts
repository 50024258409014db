import type { Database } from '#shared/platform/database/database.js';
import { toJson } from '#shared/platform/database/rows.js';
import type {
  TransactionUpdates,
  SettlementLink,
  TransactionStatusChange,
  PayoutWithUnbookedFunds,
} from '../../domain/followed/transaction-updates.js';

/** New transactions and their lines must be written first. */
export async function writeTransactionUpdates(
  database: Database,
  { statuses = [], links = [], payouts = [], failed = [] }: Partial<TransactionUpdates>,
): Promise<void> {
  if (statuses.length > 0) await writeStatuses(database, statuses);
  if (links.length > 0) await writeLinks(database, links);
  if (payouts.length > 0) await writePayouts(database, payouts);
  if (failed.length > 0)
    await database.queryInTransaction(
      'UPDATE ledger.uncovered_payouts SET amount = 0 WHERE withdrawal_id = ANY($1::uuid[]) AND amount > 0',
      [failed],
    );
}

/** Times never decrease within a transaction, even if the clock does. */
async function writeStatuses(
  database: Database,
  statuses: readonly TransactionStatusChange[],
): Promise<void> {
  await database.queryInTransaction(
    `INSERT INTO ledger.status_changes (transaction_id, step, organization_id, account_id, organization_sequence,
       account_sequence, status, at, transaction_hash)
     SELECT t.id, c.step, t.organization_id, t.account_id, t.organization_sequence, t.account_sequence, c.status,
       greatest(platform.now(), t.created_at,
         (SELECT max(s.at) FROM ledger.status_changes s WHERE s.transaction_id = t.id)), c.hash
     FROM UNNEST($1::uuid[], $2::smallint[], $3::text[], $4::text[]) AS c (id, step, status, hash)
     JOIN ledger.transactions t ON t.id = c.id`,
    [
      statuses.map(({ transactionId }) => transactionId),
      statuses.map(({ step }) => step),
      statuses.map(({ status }) => status),
      statuses.map(({ transactionHash }) => transactionHash ?? null),
    ],
  );
}

async function writeLinks(database: Database, links: readonly SettlementLink[]): Promise<void> {
  await database.queryInTransaction(
    `INSERT INTO ledger.settled_transactions (transaction_id, settlement_id, withdrawal_id, organization_id, account_id)
     SELECT * FROM UNNEST($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[])`,
    [
      links.map(({ transactionId }) => transactionId),
      links.map(({ settlementId }) => settlementId),
      links.map(({ withdrawalId }) => withdrawalId),
      links.map(({ organizationId }) => organizationId),
      links.map(({ accountId }) => accountId),
    ],
  );
}

async function writePayouts(database: Database, payouts: readonly PayoutWithUnbookedFunds[]): Promise<void> {
  await database.queryInTransaction(
    `INSERT INTO ledger.uncovered_payouts (withdrawal_id, settlement_id, organization_id, account_id, payment_request_id,
       address, unique_asset_id, gross_amount, fee_basis_points, amount)
     SELECT "withdrawalId", "settlementId", "organizationId", "accountId", "paymentRequestId", address, "uniqueAssetId",
       gross, "feeBasisPoints", uncovered
     FROM jsonb_to_recordset($1::jsonb) AS p ("withdrawalId" uuid, "settlementId" uuid, "organizationId" uuid,
       "accountId" uuid, "paymentRequestId" uuid, address text, "uniqueAssetId" text, gross numeric,
       "feeBasisPoints" smallint, uncovered numeric)
     ON CONFLICT (withdrawal_id, payment_request_id, address) DO UPDATE SET amount = excluded.amount`,
    [toJson(payouts)],
  );
}
