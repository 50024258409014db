import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { TransactionFilter } from '../../application/transaction-filter.js';
import { TransactionQueries, type TransactionView } from '../../application/transaction-queries.js';
import { PAGES } from './transaction-pages.sql.js';
import { filterValues, selectionOf } from './transaction-selection.sql.js';
import { toTransactionView, type TransactionViewRow } from './transaction-view-row.js';

/** `id` is null where the page is past the end. */
type Row = { readonly total: number; readonly sequence: number } & (
  TransactionViewRow | { readonly id: null }
);

@Injectable()
export class PostgresTransactionQueries extends TransactionQueries {
  constructor(private readonly database: Database) {
    super();
  }

  override async page(
    { organizationId, accountId }: Scope,
    filter: TransactionFilter,
    { page, pageSize }: PageRequest,
  ): Promise<Page<TransactionView>> {
    const selection = selectionOf(filter);
    const rows = await this.database.query<Row>(
      PAGES[accountId === null ? 'organization' : 'account'][selection],
      [
        accountId ?? organizationId,
        organizationId,
        (BigInt(page - 1) * BigInt(pageSize)).toString(),
        pageSize,
        ...filterValues(selection, filter),
      ],
    );
    const items = rows.flatMap((row) => (row.id === null ? [] : [toView(row)]));
    return { items, total: rows[0]?.total ?? 0 };
  }
}

function toView({ total: _total, sequence: _sequence, ...row }: Row & TransactionViewRow): TransactionView {
  return toTransactionView(row);
}
