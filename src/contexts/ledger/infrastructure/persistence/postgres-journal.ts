import { Injectable } from '@nestjs/common';
import { Database } from '../../../../shared/platform/database/database.js';
import { Journal } from '../../domain/journal.js';
import type { Movement, Occasion } from '../../domain/movement.js';
import type { Transaction } from '../../domain/transaction.js';

/**
 * Everybody locks in one order (balances, organizations, accounts, each by key), so writers cannot deadlock; the
 * organizations' rows, which are the busiest, come last but one before the commit.
 */
@Injectable()
export class PostgresJournal extends Journal {
  constructor(private readonly database: Database) {
    super();
  }

  override async postedAmong(movements: readonly Movement[]): Promise<ReadonlySet<Occasion>> {
    const payments = movements.filter(({ type }) => type === 'payment_in');
    const transfers = movements.filter((movement) => movement.type !== 'payment_in');
    const rows = await this.database.query<{ occasion: Occasion }>(
      `SELECT 'payment_in ' || payment_request_id AS occasion FROM ledger.transactions
       WHERE type = 'payment_in' AND payment_request_id = ANY($1::uuid[])
       UNION ALL
       SELECT type || ' ' || transfer_id FROM ledger.transactions
       WHERE transfer_id = ANY($2::uuid[])`,
      [
        payments.map(({ paymentRequestId }) => paymentRequestId),
        transfers.map(({ transferId }) => transferId),
      ],
    );
    return new Set(rows.map(({ occasion }) => occasion));
  }

  override async write(transactions: readonly Transaction[]): Promise<void> {
    if (transactions.length === 0) return;
    await this.writeEntries(transactions);
    await this.addToBalances(transactions);
    await this.takeNumbers(transactions);
    await this.writeRecords(transactions);
  }

  private async writeEntries(transactions: readonly Transaction[]): Promise<void> {
    const lines = transactions.flatMap((transaction) =>
      transaction.posting.entries.map((entry, index) => ({ transaction, entry, line: index + 1 })),
    );
    await this.database.write(
      `INSERT INTO ledger.entries
         (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount)
       SELECT * FROM UNNEST($1::uuid[], $2::smallint[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::numeric[])`,
      [
        lines.map(({ transaction }) => transaction.id),
        lines.map(({ line }) => line),
        lines.map(({ transaction }) => transaction.organizationId),
        lines.map(({ transaction }) => transaction.accountId),
        lines.map(({ entry }) => entry.ledgerAccount),
        lines.map(({ entry }) => entry.uniqueAssetId),
        lines.map(({ entry }) => entry.amount.toString()),
      ],
    );
  }

  private async addToBalances(transactions: readonly Transaction[]): Promise<void> {
    await this.database.write(
      `INSERT INTO ledger.balances AS b (organization_id, account_id, ledger_account, unique_asset_id, amount)
       SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount)
       FROM ledger.entries WHERE transaction_id = ANY($1)
       GROUP BY organization_id, account_id, ledger_account, unique_asset_id
       ORDER BY account_id, ledger_account, unique_asset_id
       ON CONFLICT (account_id, ledger_account, unique_asset_id) DO UPDATE SET amount = b.amount + excluded.amount`,
      [transactions.map((transaction) => transaction.id)],
    );
  }

  /** Two statements and not one: only so is every organization's row locked before any account's. */
  private async takeNumbers(transactions: readonly Transaction[]): Promise<void> {
    const organizations = transactions.map((transaction) => transaction.organizationId);
    const accounts = transactions.map((transaction) => transaction.accountId);
    await this.database.write(
      `INSERT INTO ledger.sequences AS s (scope_id, organization_id, last, last_created_at)
       SELECT organization_id, organization_id, count(*), platform.now()
       FROM UNNEST($1::uuid[]) AS t (organization_id) GROUP BY organization_id ORDER BY organization_id
       ON CONFLICT (scope_id) DO UPDATE SET last = s.last + excluded.last,
         last_created_at = greatest(s.last_created_at, excluded.last_created_at)`,
      [organizations],
    );
    await this.database.write(
      `INSERT INTO ledger.sequences AS s (scope_id, organization_id, account_id, last, last_created_at)
       SELECT t.account_id, t.organization_id, t.account_id, count(*), o.last_created_at
       FROM UNNEST($1::uuid[], $2::uuid[]) AS t (organization_id, account_id)
       JOIN ledger.sequences o ON o.scope_id = t.organization_id
       GROUP BY t.organization_id, t.account_id, o.last_created_at ORDER BY t.account_id
       ON CONFLICT (scope_id) DO UPDATE SET last = s.last + excluded.last, last_created_at = excluded.last_created_at`,
      [organizations, accounts],
    );
  }

  /** The merchant's own id of the account is written as it stands now, so that a record never changes afterwards. */
  private async writeRecords(transactions: readonly Transaction[]): Promise<void> {
    await this.database.write(
      `INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence,
         type, status, gross_amount, net_amount, expected_amount, decimals, currency, network, unique_asset_id,
         account_external_id, from_address, from_type, to_address, to_type, financial_provider, transaction_hash,
         payment_request_id, transfer_id, reference_id, created_at, updated_at)
       SELECT t.id, "organizationId", "accountId",
         o.last - count(*) OVER (PARTITION BY "organizationId") + row_number() OVER (PARTITION BY "organizationId" ORDER BY n),
         a.last - count(*) OVER (PARTITION BY "accountId") + row_number() OVER (PARTITION BY "accountId" ORDER BY n),
         type, status, "grossAmount", "netAmount", "expectedAmount", decimals, currency, network, "uniqueAssetId",
         i.external_id, "from" ->> 'address', "from" ->> 'type', "to" ->> 'address', "to" ->> 'type',
         "financialProvider", "transactionHash", "paymentRequestId", "transferId", "referenceId", o.last_created_at,
         o.last_created_at
       FROM jsonb_to_recordset($1::jsonb) AS t (n int, id uuid, "organizationId" uuid, "accountId" uuid, type text,
         status text, "grossAmount" numeric, "netAmount" numeric, "expectedAmount" numeric, decimals smallint,
         currency text, network text, "uniqueAssetId" text, "from" jsonb, "to" jsonb, "financialProvider" text,
         "transactionHash" text, "paymentRequestId" uuid, "transferId" uuid, "referenceId" text)
       JOIN ledger.sequences o ON o.scope_id = "organizationId"
       JOIN ledger.sequences a ON a.scope_id = "accountId"
       LEFT JOIN identity.public_accounts i ON i.id = "accountId" AND i.organization_id = "organizationId"
       ORDER BY n`,
      [
        JSON.stringify(
          transactions.map(({ posting: _, ...record }, n) => ({ n, ...record })),
          bigintsAsText,
        ),
      ],
    );
  }
}

/** JSON has no whole numbers of this size. */
function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
