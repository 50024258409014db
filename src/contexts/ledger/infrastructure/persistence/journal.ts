import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { toJson } from '#shared/platform/database/rows.js';
import type { LedgerEntry } from '../../domain/balanced-posting.js';
import type { SourceEvent } from '../../domain/followed/facts.js';
import type { AddedJournalLines, TransactionUpdates } from '../../domain/followed/transaction-updates.js';
import type { Movement } from '../../domain/movement.js';
import { firstDayOf, bookedPeriod, type OpenBooks } from '../../domain/periods/period.js';
import type { Transaction } from '../../domain/transaction.js';
import { readPriorPostings, type PriorPostings } from './prior-postings.js';
import { readPriorTransactions, type PriorTransactions } from './prior-transactions.js';
import { writeTransactionUpdates } from './write-transaction-updates.js';

interface LineToWrite extends LedgerEntry, Omit<AddedJournalLines, 'firstLine' | 'posting'> {
  readonly line: number;
}

type LockedBooks = ReadonlyMap<string, OpenBooks>;
type BooksRow = OpenBooks & { readonly scopeId: string };

/** Earliest time of booking. Prevents lines in a later month than the booking of their transaction. */
const FIRST_OPEN_TIME = `s.closed_before::timestamp AT TIME ZONE 'UTC'`;

/**
 * Writers lock balances, then organizations, then accounts, each by key, so that they cannot deadlock. If a month was
 * closed before the organization is locked, lines are booked in a later month; otherwise the close waits.
 */
@Injectable()
export class Journal {
  constructor(private readonly database: Database) {}

  priorPostings(movements: readonly Movement[]): Promise<PriorPostings> {
    return readPriorPostings(this.database, movements);
  }

  priorTransactions(events: readonly SourceEvent[]): Promise<PriorTransactions> {
    return readPriorTransactions(this.database, events);
  }

  /**
   * `created_at` never decreases within an organization, even if the clock does. Locks the affected balances and
   * scopes until the unit of work ends.
   * @throws a unique violation if the same movement was posted concurrently
   */
  async write(transactions: readonly Transaction[], later: Partial<TransactionUpdates> = {}): Promise<void> {
    const laterLines = (later.lines ?? []).flatMap(toLines);
    const lines = [...transactions.flatMap(linesOfTransaction), ...laterLines];
    if (lines.length > 0) await this.addToBalances(lines);
    const locked = laterLines.length > 0 ? await this.lockBooks(lines) : [];
    const numbered = transactions.length > 0 ? await this.numberTransactions(transactions) : [];
    const books = new Map([...locked, ...numbered].map(({ scopeId, ...open }) => [scopeId, open]));
    if (lines.length > 0) await this.writeEntries(lines, books);
    if (transactions.length > 0) await this.writeTransactions(transactions, books);
    await writeTransactionUpdates(this.database, later);
  }

  private async writeEntries(lines: readonly LineToWrite[], books: LockedBooks): Promise<void> {
    const bookedPeriods = lines.map((line) => bookedPeriod(books.get(line.organizationId)!, line.occurredAt));
    await this.database.queryInTransaction(
      `INSERT INTO ledger.entries
         (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount, period, booked_for)
       SELECT * FROM UNNEST($1::uuid[], $2::smallint[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::numeric[],
         $8::date[], $9::date[])`,
      [
        lines.map(({ transactionId }) => transactionId),
        lines.map(({ line }) => line),
        ...balanceKeysOf(lines),
        lines.map(({ amount }) => amount.toString()),
        bookedPeriods.map(({ period }) => firstDayOf(period)),
        bookedPeriods.map(({ bookedFor }) => bookedFor && firstDayOf(bookedFor)),
      ],
    );
  }

  private async addToBalances(lines: readonly LineToWrite[]): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO ledger.balances AS b (organization_id, account_id, ledger_account, unique_asset_id, amount)
       SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount)
       FROM UNNEST($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[])
         AS t (organization_id, account_id, ledger_account, unique_asset_id, amount)
       GROUP BY organization_id, account_id, ledger_account, unique_asset_id
       ORDER BY account_id, ledger_account, unique_asset_id
       ON CONFLICT (account_id, ledger_account, unique_asset_id) DO UPDATE SET amount = b.amount + excluded.amount`,
      [...balanceKeysOf(lines), lines.map(({ amount }) => amount.toString())],
    );
  }

  private lockBooks(lines: readonly LineToWrite[]): Promise<BooksRow[]> {
    return this.database.queryInTransaction(
      `SELECT scope_id, greatest(last_created_at, platform.now(), ${FIRST_OPEN_TIME}) AS booked_at,
         to_char(closed_before, 'YYYY-MM') AS first_open
       FROM ledger.sequences s WHERE scope_id = ANY($1::uuid[]) ORDER BY scope_id FOR NO KEY UPDATE`,
      [lines.map(({ organizationId }) => organizationId)],
    );
  }

  /** Uses two statements, so that the rows of all organizations are locked before the row of any account. */
  private async numberTransactions(transactions: readonly Transaction[]): Promise<BooksRow[]> {
    const organizations = transactions.map((transaction) => transaction.organizationId);
    const accounts = transactions.map((transaction) => transaction.accountId);
    const books = await this.database.queryInTransaction<BooksRow>(
      `INSERT INTO ledger.sequences AS s (scope_id, organization_id, last, last_created_at)
       SELECT organization_id, organization_id, count(*), platform.now()
       FROM UNNEST($1::uuid[]) AS t (organization_id) GROUP BY organization_id ORDER BY organization_id
       ON CONFLICT (scope_id) DO UPDATE SET last = s.last + excluded.last,
         last_created_at = greatest(s.last_created_at, excluded.last_created_at, ${FIRST_OPEN_TIME})
       RETURNING scope_id, last_created_at AS booked_at, to_char(closed_before, 'YYYY-MM') AS first_open`,
      [organizations],
    );
    await this.database.queryInTransaction(
      `INSERT INTO ledger.sequences AS s (scope_id, organization_id, account_id, last, last_created_at)
       SELECT t.account_id, t.organization_id, t.account_id, count(*), o.last_created_at
       FROM UNNEST($1::uuid[], $2::uuid[]) AS t (organization_id, account_id)
       JOIN ledger.sequences o ON o.scope_id = t.organization_id
       GROUP BY t.organization_id, t.account_id, o.last_created_at ORDER BY t.account_id
       ON CONFLICT (scope_id) DO UPDATE SET last = s.last + excluded.last, last_created_at = excluded.last_created_at`,
      [organizations, accounts],
    );
    return books;
  }

  /** Copies the account's current external id, so that a transaction never changes afterwards. */
  private async writeTransactions(transactions: readonly Transaction[], books: LockedBooks): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence,
         type, status, gross_amount, net_amount, expected_amount, decimals, currency, network, unique_asset_id,
         account_external_id, from_address, from_type, to_address, to_type, financial_provider, transaction_hash,
         payment_request_id, transfer_id, source_id, reference_id, occurred_at, booked_for, created_at, updated_at)
       SELECT t.id, "organizationId", "accountId",
         o.last - count(*) OVER (PARTITION BY "organizationId") + row_number() OVER (PARTITION BY "organizationId" ORDER BY n),
         a.last - count(*) OVER (PARTITION BY "accountId") + row_number() OVER (PARTITION BY "accountId" ORDER BY n),
         type, status, "grossAmount", "netAmount", "expectedAmount", decimals, currency, network, "uniqueAssetId",
         i.external_id, "from" ->> 'address', "from" ->> 'type', "to" ->> 'address', "to" ->> 'type',
         "financialProvider", "transactionHash", "paymentRequestId", "transferId", "sourceId", "referenceId", "occurredAt", "bookedFor",
         o.last_created_at, o.last_created_at
       FROM jsonb_to_recordset($1::jsonb) AS t (n int, id uuid, "organizationId" uuid, "accountId" uuid, type text,
         status text, "grossAmount" numeric, "netAmount" numeric, "expectedAmount" numeric, decimals smallint,
         currency text, network text, "uniqueAssetId" text, "from" jsonb, "to" jsonb, "financialProvider" text,
         "transactionHash" text, "paymentRequestId" uuid, "transferId" uuid, "sourceId" uuid,
         "referenceId" text, "occurredAt" timestamptz, "bookedFor" date)
       JOIN ledger.sequences o ON o.scope_id = "organizationId"
       JOIN ledger.sequences a ON a.scope_id = "accountId"
       LEFT JOIN identity.public_accounts i ON i.id = "accountId" AND i.organization_id = "organizationId"
       ORDER BY n`,
      [
        toJson(
          transactions.map(({ posting: _, ...record }, n) => {
            const { bookedFor } = bookedPeriod(books.get(record.organizationId)!, record.occurredAt);
            return { n, ...record, bookedFor: bookedFor && firstDayOf(bookedFor) };
          }),
        ),
      ],
    );
  }
}

function toLines({ posting, firstLine, ...owner }: AddedJournalLines): LineToWrite[] {
  return posting.entries.map((entry, index) => ({ ...owner, ...entry, line: firstLine + index }));
}

function linesOfTransaction({ id: transactionId, posting, ...record }: Transaction): LineToWrite[] {
  if (posting === undefined) return [];
  const { organizationId, accountId, occurredAt } = record;
  return toLines({ transactionId, organizationId, accountId, occurredAt, posting, firstLine: 1 });
}

function balanceKeysOf(lines: readonly LineToWrite[]): unknown[] {
  return [
    lines.map(({ organizationId }) => organizationId),
    lines.map(({ accountId }) => accountId),
    lines.map(({ ledgerAccount }) => ledgerAccount),
    lines.map(({ uniqueAssetId }) => uniqueAssetId),
  ];
}
