import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { TransactionQueries, type TransactionView } from '../../application/transaction-queries.js';

/** The counter and the rows come from one snapshot, so a page is exact while posting goes on. */
function pageOf(scope: 'organization' | 'account'): string {
  return `SELECT s.last AS total, t.*
    FROM ledger.sequences s LEFT JOIN LATERAL (
      SELECT id, type, status, gross_amount, net_amount, expected_amount, decimals, currency, network, unique_asset_id,
             account_external_id, from_address, from_type, to_address, to_type, financial_provider, transaction_hash,
             payment_request_id, reference_id, created_at, updated_at, ${scope}_sequence AS sequence
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

type Row = { readonly total: string } & Stored;
interface Stored {
  /** `null` where the page is past the end. */
  readonly id: string | null;
  readonly type: TransactionView['type'];
  readonly status: TransactionView['status'];
  readonly gross_amount: string;
  readonly net_amount: string;
  readonly expected_amount: string;
  readonly decimals: number;
  readonly currency: string;
  readonly network: string | null;
  readonly unique_asset_id: string | null;
  readonly account_external_id: string | null;
  readonly from_address: string;
  readonly from_type: TransactionView['fromType'];
  readonly to_address: string;
  readonly to_type: TransactionView['toType'];
  readonly financial_provider: TransactionView['financialProvider'];
  readonly transaction_hash: string | null;
  readonly payment_request_id: string | null;
  readonly reference_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

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
    const items = rows.flatMap((row) => (row.id === null ? [] : [toView(row.id, row)]));
    return { items, total: Number(rows[0]?.total ?? 0) };
  }
}

function toView(id: string, row: Stored): TransactionView {
  return {
    id,
    type: row.type,
    status: row.status,
    grossAmount: BigInt(row.gross_amount),
    netAmount: BigInt(row.net_amount),
    expectedAmount: BigInt(row.expected_amount),
    decimals: row.decimals,
    currency: row.currency,
    network: row.network,
    uniqueAssetId: row.unique_asset_id,
    accountExternalId: row.account_external_id,
    from: row.from_address,
    fromType: row.from_type,
    to: row.to_address,
    toType: row.to_type,
    financialProvider: row.financial_provider,
    transactionHash: row.transaction_hash,
    paymentRequestId: row.payment_request_id,
    referenceId: row.reference_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
