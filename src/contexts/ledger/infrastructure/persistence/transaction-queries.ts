import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import { TRANSACTION_ORDER, PAGE_QUERIES } from './transaction-pages.sql.js';
import { filterValues, selectionOf } from './transaction-selection.sql.js';

type Row = PageRow<TransactionView & { readonly sequence: number }>;

@Injectable()
export class TransactionQueries {
  constructor(private readonly database: Database) {}

  /** One SQL statement, whose cost does not depend on the page number. A page past the end is empty. */
  async page(
    { organizationId, accountId }: TenantScope,
    filter: TransactionFilter,
    page: PageRequest,
  ): Promise<Page<TransactionView>> {
    const selection = selectionOf(filter);
    const rows = await this.database.queryReplica<Row>(
      PAGE_QUERIES[accountId === null ? 'organization' : 'account'][selection],
      [
        accountId ?? organizationId,
        organizationId,
        ...TRANSACTION_ORDER.parameters(page),
        ...filterValues(selection, filter),
      ],
    );
    return TRANSACTION_ORDER.page(rows, page, (row) => row);
  }
}
