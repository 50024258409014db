import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import type { TransactionStatus, TransactionType } from '../domain/transaction.js';

export interface TransactionToStore {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly referenceId: string | null;
  readonly createdAt: Date;
}

export interface StoredTransaction extends TransactionToStore {
  readonly id: string;
}

/** Inserts transactions. Runs without the triggers that require entries and the checks of payments. */
const INSERT_TRANSACTIONS = `
WITH given AS (
  SELECT *, row_number() OVER (PARTITION BY "organizationId" ORDER BY n) AS in_organization,
    row_number() OVER (PARTITION BY "accountId" ORDER BY n) AS in_account
  FROM jsonb_to_recordset($1::jsonb) AS t (n int, id uuid, "organizationId" uuid, "accountId" uuid, type text,
    status text, "referenceId" text, "createdAt" timestamptz)
), counted AS (
  SELECT "organizationId" AS scope, "organizationId" AS organization, NULL::uuid AS account, count(*), max("createdAt") AS at
  FROM given GROUP BY 1, 2
  UNION ALL
  SELECT "accountId", "organizationId", "accountId", count(*), max("createdAt") FROM given GROUP BY 1, 2, 3
), numbered AS (
  INSERT INTO ledger.sequences AS s (scope_id, organization_id, account_id, last, last_created_at)
  SELECT scope, organization, account, count, at FROM counted
  ON CONFLICT (scope_id) DO UPDATE SET last = s.last + excluded.last
  RETURNING scope_id, last
)
INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence, type, status,
  gross_amount, net_amount, expected_amount, decimals, currency, network, unique_asset_id, from_address, from_type,
  to_address, to_type, financial_provider, payment_request_id, transfer_id, source_id, reference_id, created_at, updated_at)
SELECT g.id, "organizationId", "accountId",
  o.last - (SELECT count FROM counted c WHERE c.scope = o.scope_id) + in_organization,
  a.last - (SELECT count FROM counted c WHERE c.scope = a.scope_id) + in_account,
  type, CASE type WHEN 'refund' THEN 'processing' ELSE status END, 5, 5, 5, 6, 'USDC', 'sandbox', 'usdc', 'a', 'wallet', 'b', 'vault', 'onchain', g.id, NULL,
  CASE type WHEN 'refund' THEN g.id END, "referenceId", "createdAt", "createdAt"
FROM given g JOIN numbered o ON o.scope_id = "organizationId" JOIN numbered a ON a.scope_id = "accountId"`;

/** Inserts the status of refunds that are not `processing` any longer, because they are stored as `processing`. */
const INSERT_REFUND_STATUSES = `
INSERT INTO ledger.status_changes (transaction_id, step, organization_id, account_id, organization_sequence, account_sequence,
  status, at)
SELECT t.id, 2, t.organization_id, t.account_id, organization_sequence, account_sequence, g.status, t.created_at
FROM jsonb_to_recordset($1::jsonb) AS g (id uuid, status text) JOIN ledger.transactions t ON t.id = g.id
WHERE t.type = 'refund' AND g.status <> 'processing'`;

export async function storeTransactions(
  database: Database,
  rows: readonly TransactionToStore[],
): Promise<StoredTransaction[]> {
  const stored = rows.map((row) => ({ ...row, id: newId<string>() }));
  await database.run(async () => {
    await database.query('SET LOCAL session_replication_role = replica');
    const rows = [JSON.stringify(stored.map((row, n) => ({ ...row, n })))];
    await database.query(INSERT_TRANSACTIONS, rows);
    await database.query(INSERT_REFUND_STATUSES, rows);
  });
  return stored;
}
