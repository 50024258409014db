import { Injectable } from '@nestjs/common';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import {
  boundsCte,
  filterValues,
  IS_EXCEPTIONAL,
  typeAndStatusValues,
  hasId,
  hasReference,
  hasTypeAndStatus,
  selectionOf,
  createdRangeValues,
  type NumberingScope,
} from './transaction-selection.sql.js';
import { selectTransactionViews } from './transaction-pages.sql.js';

export const EXPORT_BATCH_SIZE = 500;
const ABOVE_ALL_NUMBERS = Number.MAX_SAFE_INTEGER;

interface ExportQueries {
  /** Parameters: $1 scope, $2 organization, $3 from, $4 before. */
  readonly bounds: string;
  /** May return no rows. $1 scope, $2 organization, $3 highest number, $4 count of numbers, $5 types, $6 statuses. */
  readonly numbers: string;
  /** $1 scope, $2 organization, $3 highest number, $4 limit, $5 number below the range, $6 types, $7 statuses. */
  readonly exceptions: string;
  /** Parameters: $1 scope, $2 organization, $3 highest number, $4 limit, then `filterValues`. */
  readonly reference: string;
  /** Has the parameters of `reference`. */
  readonly id: string;
}

const selectViews = (numbering: NumberingScope, ordering: NumberingScope, which: string) => `
${selectTransactionViews(
  `SELECT * FROM ledger.transactions t
  WHERE t.${numbering}_id = $1 AND t.organization_id = $2 AND t.${ordering}_sequence <= $3::bigint AND ${which}
  ORDER BY t.${ordering}_sequence DESC LIMIT $4::bigint`,
  ordering,
)}
ORDER BY sequence DESC`;

const exportQueriesOf = (numbering: NumberingScope): ExportQueries => ({
  bounds: `WITH ${boundsCte(numbering, 3)} SELECT low, high FROM bounds`,
  numbers: selectViews(
    numbering,
    numbering,
    `t.${numbering}_sequence > $3::bigint - $4::bigint AND ${hasTypeAndStatus(5, numbering)}`,
  ),
  exceptions: selectViews(
    numbering,
    numbering,
    `t.${numbering}_sequence > $5::bigint AND ${IS_EXCEPTIONAL} AND ${hasTypeAndStatus(6, numbering)}`,
  ),
  reference: selectViews(numbering, 'organization', hasReference(5)),
  id: selectViews(numbering, 'organization', hasId(5)),
});

const EXPORT_QUERIES: Record<NumberingScope, ExportQueries> = {
  organization: exportQueriesOf('organization'),
  account: exportQueriesOf('account'),
};

type NumberedTransactionView = TransactionView & { readonly sequence: number };
type TransactionBatches = AsyncGenerator<readonly TransactionView[], void>;

@Injectable()
export class TransactionExport {
  constructor(private readonly database: Database) {}

  /**
   * Excludes transactions added after the first batch. Holds no connection between batches, so the reader can be
   * slow.
   */
  async *read({ organizationId, accountId }: TenantScope, filter: TransactionFilter): TransactionBatches {
    const texts = EXPORT_QUERIES[accountId === null ? 'organization' : 'account'];
    const owner = [accountId ?? organizationId, organizationId];
    const selection = selectionOf(filter);
    if (selection === 'reference' || selection === 'id') {
      yield* this.readByRows(texts[selection], owner, ABOVE_ALL_NUMBERS, filterValues(selection, filter));
      return;
    }
    const [bounds] = await this.database.queryReplica<{ low: number; high: number }>(texts.bounds, [
      ...owner,
      ...createdRangeValues(filter),
    ]);
    if (bounds === undefined) return;
    const { low, high } = bounds;
    if (selection === 'exceptions')
      yield* this.readByRows(texts.exceptions, owner, high, [low, ...typeAndStatusValues(filter)]);
    else yield* this.readByNumbers(texts.numbers, owner, low, high, typeAndStatusValues(filter));
  }

  private async *readByNumbers(
    text: string,
    owner: unknown[],
    low: number,
    high: number,
    values: unknown[],
  ): TransactionBatches {
    for (let top = high; top > low; top -= EXPORT_BATCH_SIZE) {
      const count = Math.min(top - low, EXPORT_BATCH_SIZE);
      yield await this.database.queryReplica<NumberedTransactionView>(text, [
        ...owner,
        top,
        count,
        ...values,
      ]);
    }
  }

  private async *readByRows(
    text: string,
    owner: unknown[],
    high: number,
    values: unknown[],
  ): TransactionBatches {
    let top: number | undefined = high;
    while (top !== undefined) {
      const rows: NumberedTransactionView[] = await this.database.queryReplica<NumberedTransactionView>(
        text,
        [...owner, top, EXPORT_BATCH_SIZE, ...values],
      );
      yield rows;
      top = rows.length < EXPORT_BATCH_SIZE ? undefined : rows.at(-1)!.sequence - 1;
    }
  }
}
