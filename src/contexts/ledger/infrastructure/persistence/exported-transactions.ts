import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import {
  boundsOf,
  filterValues,
  IS_EXCEPTIONAL,
  kindValues,
  ofReference,
  ofKinds,
  selectionOf,
  timeValues,
  type Numbering,
} from './transaction-selection.sql.js';
import { viewOf } from './transaction-pages.sql.js';

/** Transaction numbers or rows per SQL statement. */
export const BATCH = 500;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

interface Texts {
  /** Range of transaction numbers. Parameters: $1 scope, $2 organization, $3 from, $4 before. */
  readonly bounds: string;
  /**
   * Transactions in a range of numbers. Parameters: $1 scope, $2 organization, $3 highest number, $4 count of numbers,
   * $5 types, $6 statuses. May return no rows.
   */
  readonly numbers: string;
  /**
   * Transactions other than completed payments. Parameters: $1 scope, $2 organization, $3 highest number, $4 limit, $5
   * number below the range, $6 types, $7 statuses.
   */
  readonly exceptions: string;
  /**
   * Transactions of a reference. Parameters: $1 scope, $2 organization, $3 highest number, $4 limit, then
   * `filterValues`.
   */
  readonly reference: string;
}

const rowsOf = (numbering: Numbering, ordering: Numbering, which: string) => `
${viewOf(
  `SELECT * FROM ledger.transactions t
  WHERE t.${numbering}_id = $1 AND t.organization_id = $2 AND t.${ordering}_sequence <= $3::bigint AND ${which}
  ORDER BY t.${ordering}_sequence DESC LIMIT $4::bigint`,
  ordering,
)}
ORDER BY sequence DESC`;

const textsOf = (numbering: Numbering): Texts => ({
  bounds: `WITH ${boundsOf(numbering, 3)} SELECT low, high FROM bounds`,
  numbers: rowsOf(
    numbering,
    numbering,
    `t.${numbering}_sequence > $3::bigint - $4::bigint AND ${ofKinds(5, numbering)}`,
  ),
  exceptions: rowsOf(
    numbering,
    numbering,
    `t.${numbering}_sequence > $5::bigint AND ${IS_EXCEPTIONAL} AND ${ofKinds(6, numbering)}`,
  ),
  reference: rowsOf(numbering, 'organization', ofReference(5)),
});

const TEXTS: Record<Numbering, Texts> = {
  organization: textsOf('organization'),
  account: textsOf('account'),
};

type Row = TransactionView & { readonly sequence: number };
type Batches = AsyncGenerator<readonly TransactionView[], void>;

@Injectable()
export class ExportedTransactions {
  constructor(private readonly database: Database) {}

  /**
   * Reads the transactions of a scope, newest first. Transactions added after the first batch are not included, because
   * they have higher numbers. Each batch is one SQL statement. No connection is held between batches, so the reader can
   * be slow. Throws if a statement fails.
   */
  async *read({ organizationId, accountId }: Scope, filter: TransactionFilter): Batches {
    const texts = TEXTS[accountId === null ? 'organization' : 'account'];
    const owner = [accountId ?? organizationId, organizationId];
    const selection = selectionOf(filter);
    if (selection === 'reference') {
      yield* this.byRows(texts.reference, owner, ABOVE_ALL, filterValues(selection, filter));
      return;
    }
    const [bounds] = await this.database.queryReplica<{ low: number; high: number }>(texts.bounds, [
      ...owner,
      ...timeValues(filter),
    ]);
    if (bounds === undefined) return;
    const { low, high } = bounds;
    if (selection === 'exceptions')
      yield* this.byRows(texts.exceptions, owner, high, [low, ...kindValues(filter)]);
    else yield* this.byNumbers(texts.numbers, owner, low, high, kindValues(filter));
  }

  /** Reads a fixed range of transaction numbers per SQL statement, however few of them match the filter. */
  private async *byNumbers(
    text: string,
    owner: unknown[],
    low: number,
    high: number,
    values: unknown[],
  ): Batches {
    for (let top = high; top > low; top -= BATCH) {
      const count = Math.min(top - low, BATCH);
      yield await this.database.queryReplica<Row>(text, [...owner, top, count, ...values]);
    }
  }

  /** Reads a fixed number of rows per SQL statement, from an index in which most rows match the filter. */
  private async *byRows(text: string, owner: unknown[], high: number, values: unknown[]): Batches {
    let top: number | undefined = high;
    while (top !== undefined) {
      const rows: Row[] = await this.database.queryReplica<Row>(text, [...owner, top, BATCH, ...values]);
      yield rows;
      top = rows.length < BATCH ? undefined : rows.at(-1)!.sequence - 1;
    }
  }
}
