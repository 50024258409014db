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

/** Numbers, or rows, of one statement. */
export const BATCH = 500;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

interface Texts {
  /** $1 scope, $2 organization, $3 from, $4 before. */
  readonly bounds: string;
  /** $1 scope, $2 organization, $3 the highest number, $4 how many numbers, $5 types, $6 statuses: perhaps no row. */
  readonly numbers: string;
  /** $1 scope, $2 organization, $3 the highest number, $4 how many rows, $5 below the lowest, $6 types, $7 statuses. */
  readonly exceptions: string;
  /** $1 scope, $2 organization, $3 the organization's highest number, $4 how many rows, and those of `filterValues`. */
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
   * A scope's transactions as they are when the first batch is asked for, newest first: later ones have higher numbers,
   * and batches go down. Each batch is one statement, and no connection is held between two, so a reader may take its
   * time. Ends after the last; a failed statement is thrown.
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

  /** Each statement reads a fixed range of numbers, however few of them the filter leaves. */
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

  /** Each statement reads a batch of rows, by an index that has little else. */
  private async *byRows(text: string, owner: unknown[], high: number, values: unknown[]): Batches {
    let top: number | undefined = high;
    while (top !== undefined) {
      const rows: Row[] = await this.database.queryReplica<Row>(text, [...owner, top, BATCH, ...values]);
      yield rows;
      top = rows.length < BATCH ? undefined : rows.at(-1)!.sequence - 1;
    }
  }
}
