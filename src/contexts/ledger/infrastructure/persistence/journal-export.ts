import { Injectable } from '@nestjs/common';
import type { AccountId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { LedgerAccount } from '../../domain/balanced-posting.js';
import { firstDayOf, type Period } from '../../domain/periods/period.js';
import type { TransactionType } from '../../domain/transaction.js';
import { valuationOf, type MissingValuation, type Valuation } from '../../domain/valuation.js';
import { type StatementPartName, readBatches, type BatchEnd } from './journal-parts.sql.js';
import { JOURNAL_QUERIES } from './journal-lines.sql.js';

/** Amounts are in smallest units; debits are positive. */
export interface JournalLine extends Readonly<Record<StatementPartName, bigint>> {
  readonly transactionId: string;
  readonly line: number;
  readonly type: TransactionType;
  readonly accountId: AccountId;
  readonly accountExternalId: string | null;
  readonly period: Period;
  readonly bookedFor: Period | null;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly ledgerAccount: LedgerAccount;
  readonly uniqueAssetId: string;
  readonly amount: bigint;
  readonly symbol: string;
  /** Null if the asset is no longer in the catalogue. */
  readonly decimals: number | null;
  readonly paymentRequestId: string | null;
  readonly referenceId: string | null;
  readonly transactionHash: string | null;
  readonly valuation: Valuation | MissingValuation;
}

interface JournalRates {
  readonly booksCurrency: string | null;
  readonly coinCode: string | null;
  readonly rate: string;
  readonly rateSources: readonly string[];
  readonly rateAt: Date;
  readonly recordedPrice: string | null;
  readonly recordedSources: readonly string[];
  readonly recordedAt: Date;
}
/** `transactionId` is null if no transaction of the batch has a line in the month. */
type JournalRow = BatchEnd &
  ((Omit<JournalLine, 'valuation'> & JournalRates) | { readonly transactionId: null });

@Injectable()
export class JournalExport {
  readonly batch: number = 500;

  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** Reads later lines of earlier transactions first. Holds no connection between batches. */
  async *read(
    { organizationId, accountId }: TenantScope,
    period: Period,
  ): AsyncGenerator<readonly JournalLine[], void> {
    const texts = JOURNAL_QUERIES[accountId === null ? 'organization' : 'account'];
    const parameters = [accountId ?? organizationId, organizationId, firstDayOf(period)];
    const [bounds] = await this.database.queryReplica<{ low: number; high: number }>(
      texts.bounds,
      parameters,
    );
    if (bounds === undefined) return;
    const { low, high } = bounds;
    yield* this.readLines(texts.laterLines, parameters, 0, low);
    yield* this.readLines(texts.records, parameters, low, high);
  }

  private async *readLines(text: string, parameters: unknown[], low: number, high: number) {
    const size = this.batch;
    const read = (above: number) =>
      this.database.queryReplica<JournalRow>(text, [...parameters, above, high, size]);
    for await (const rows of readBatches(read, { low, high, size }))
      yield rows.flatMap((row) => (row.transactionId === null ? [] : [this.toLine(row)]));
  }

  private toLine(row: Omit<JournalLine, 'valuation'> & JournalRates): JournalLine {
    const { booksCurrency, coinCode, rate, rateSources, rateAt, recordedPrice, recordedSources, recordedAt } =
      row;
    const locked =
      coinCode === null ? null : { currency: coinCode, price: rate, sources: rateSources, at: rateAt };
    const recorded =
      recordedPrice === null || booksCurrency === null
        ? null
        : { currency: booksCurrency, price: recordedPrice, sources: recordedSources, at: recordedAt };
    return {
      ...row,
      decimals: row.decimals ?? this.catalogue.asset(row.uniqueAssetId)?.decimals ?? null,
      valuation: valuationOf({ booksCurrency, locked, recorded }),
    };
  }
}
