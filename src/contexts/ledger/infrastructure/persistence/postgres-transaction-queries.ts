import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { TransactionQueries, type TransactionView } from '../../application/transaction-queries.js';

/** The counter and the rows come from one snapshot, so a page is exact while posting goes on. */
function pageOf(scope: 'organization' | 'account'): string {
  return `SELECT s.last AS total, t.*
    FROM ledger.sequences s LEFT JOIN LATERAL (
      SELECT id, type, status, gross_amount AS "grossAmount", net_amount AS "netAmount", decimals, currency, network,
             expected_amount AS "expectedAmount", unique_asset_id AS "uniqueAssetId", from_type AS "fromType",
             account_external_id AS "accountExternalId", from_address AS "from", to_address AS "to", to_type AS "toType",
             financial_provider AS "financialProvider", transaction_hash AS "transactionHash",
             payment_request_id AS "paymentRequestId", reference_id AS "referenceId", created_at AS "createdAt",
             updated_at AS "updatedAt", ${scope}_sequence AS sequence
      FROM ledger.transactions
      WHERE ${scope}_id = s.scope_id
        AND ${scope}_sequence <= s.last - $3::bigint AND ${scope}_sequence > s.last - $3::bigint - $4::bigint
      ORDER BY ${scope}_sequence DESC LIMIT $4::bigint
    ) t ON true
    WHERE s.scope_id = $1 AND s.organization_id = $2
    ORDER BY t.sequence DESC`;
}

/** $1 scope, $2 organization, $3 newer transactions to pass over, $4 page size. */
export const PAGE_OF_ORGANIZATION = pageOf('organization');
export const PAGE_OF_ACCOUNT = pageOf('account');

type Amounts = 'grossAmount' | 'netAmount' | 'expectedAmount';
type Transaction = Omit<TransactionView, Amounts> & Record<Amounts, string>;
/** `id` is null where the page is past the end. */
type Row = { readonly total: string; readonly sequence: string } & (Transaction | { readonly id: null });

@Injectable()
export class PostgresTransactionQueries extends TransactionQueries {
  constructor(private readonly database: Database) {
    super();
  }

  override async page(scope: Scope, { page, pageSize }: PageRequest): Promise<Page<TransactionView>> {
    const rows = await this.database.query<Row>(
      scope.accountId === null ? PAGE_OF_ORGANIZATION : PAGE_OF_ACCOUNT,
      [
        scope.accountId ?? scope.organizationId,
        scope.organizationId,
        (BigInt(page - 1) * BigInt(pageSize)).toString(),
        pageSize,
      ],
    );
    const items = rows.flatMap((row) => (row.id === null ? [] : [toView(row)]));
    return { items, total: Number(rows[0]?.total ?? 0) };
  }
}

function toView({ total: _total, sequence: _sequence, ...row }: Row & Transaction): TransactionView {
  return {
    ...row,
    grossAmount: BigInt(row.grossAmount),
    netAmount: BigInt(row.netAmount),
    expectedAmount: BigInt(row.expectedAmount),
  };
}
