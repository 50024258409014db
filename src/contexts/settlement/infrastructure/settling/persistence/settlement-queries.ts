import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder } from '#shared/platform/database/list-order.js';
import type { PageRow } from '#shared/platform/database/rows.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { SettlementStatus } from '#contexts/settlement/contract/settlement-events.js';

export interface SettledPayment {
  readonly paymentRequestId: string;
  readonly amount: bigint;
  readonly feeAmount: bigint;
}

/** Amounts in smallest units of an asset with `decimals` fraction digits. */
export interface SettlementView {
  readonly id: string;
  readonly accountId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly feeAmount: bigint;
  /** In lower case, like all addresses and hashes of this interface. */
  readonly settlementAddress: string;
  readonly status: SettlementStatus;
  readonly transactionHash: string;
  readonly paymentCount: number;
  /** The first `MAX_LISTED_PAYMENTS` payments, in the order of the transaction. */
  readonly payments: readonly SettledPayment[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A settlement can have a thousand payments, and a page can have a hundred settlements. */
export const MAX_LISTED_PAYMENTS = 100;

interface Row extends Omit<SettlementView, 'payments'> {
  readonly payments: readonly { paymentRequestId: string; amount: string; feeAmount: string }[];
}

const SETTLEMENT_ORDER = new ListOrder('DESC', [
  { column: 'created_at', kind: 'time' },
  { column: 'id', kind: 'id' },
]);

/** A page past the end has one row without id. @param owned condition on organization $1 and account $2 */
const selectPage = (owned: string) => `
SELECT c.total, s.id, s.account_id, s.network, s.unique_asset_id, s.currency, s.decimals, s.amount, s.fee_amount,
  s.settlement_address, s.status, s.transaction_hash, s.payment_count, s.created_at, s.updated_at, p.payments
FROM (SELECT count(*) AS total FROM settlement.settlements WHERE ${owned}) c
LEFT JOIN LATERAL (SELECT * FROM settlement.settlements WHERE ${owned}
  AND ${SETTLEMENT_ORDER.pagingSql(3)}) s ON true
LEFT JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('paymentRequestId', payment_request_id,
    'amount', to_settlement::text, 'feeAmount', to_fee::text) ORDER BY number) AS payments
  FROM settlement.settled_addresses WHERE settlement_id = s.id AND number <= ${MAX_LISTED_PAYMENTS}) p ON true
ORDER BY ${SETTLEMENT_ORDER.orderBySql('s')}`;

const PAGE_OF_ACCOUNT = selectPage('organization_id = $1 AND account_id = $2');
const PAGE_OF_ORGANIZATION = selectPage('organization_id = $1 AND $2::uuid IS NULL');
/** Uses the index on transaction hashes. Few settlements share a transaction. */
const PAGE_OF_TRANSACTION = selectPage(
  'transaction_hash = $7 AND organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2)',
);

@Injectable()
export class SettlementQueries {
  constructor(private readonly database: Database) {}

  /** A page past the end is empty. @param transactionHash in upper or lower case */
  async page(
    { organizationId, accountId }: TenantScope,
    page: PageRequest,
    transactionHash?: string,
  ): Promise<Page<SettlementView>> {
    const paging = [organizationId, accountId, ...SETTLEMENT_ORDER.parameters(page)];
    const ofScope = accountId === null ? PAGE_OF_ORGANIZATION : PAGE_OF_ACCOUNT;
    const [text, values] =
      transactionHash === undefined
        ? [ofScope, paging]
        : [PAGE_OF_TRANSACTION, [...paging, transactionHash.toLowerCase()]];
    const rows = await this.database.queryReplica<PageRow<Row>>(text, values);
    return SETTLEMENT_ORDER.page(rows, page, toView);
  }
}

function toView({ payments, ...row }: Row): SettlementView {
  return {
    ...row,
    payments: payments.map((payment) => ({
      paymentRequestId: payment.paymentRequestId,
      amount: BigInt(payment.amount),
      feeAmount: BigInt(payment.feeAmount),
    })),
  };
}
