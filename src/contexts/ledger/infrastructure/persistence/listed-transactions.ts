import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import { PAGES } from './transaction-pages.sql.js';
import { filterValues, selectionOf } from './transaction-selection.sql.js';

/** `id` is null where the page is past the end. */
type Row = { readonly total: number; readonly sequence: number } & (TransactionView | { readonly id: null });

@Injectable()
export class ListedTransactions {
  constructor(private readonly database: Database) {}

  /**
   * A scope's transactions, newest first, with their exact number: one statement, whose cost grows with the page and
   * not with its depth; by type and status also with the number of those that are no completed payments, and by
   * reference with the number of its transactions. A page past the end is empty.
   */
  async page(
    { organizationId, accountId }: Scope,
    filter: TransactionFilter,
    { page, pageSize }: PageRequest,
  ): Promise<Page<TransactionView>> {
    const selection = selectionOf(filter);
    const rows = await this.database.queryReplica<Row>(
      PAGES[accountId === null ? 'organization' : 'account'][selection],
      [
        accountId ?? organizationId,
        organizationId,
        (BigInt(page - 1) * BigInt(pageSize)).toString(),
        pageSize,
        ...filterValues(selection, filter),
      ],
    );
    return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
  }
}
