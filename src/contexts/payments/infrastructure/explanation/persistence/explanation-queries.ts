import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import {
  type StoredNetworkProgress,
  type StoredRequestToExplain,
  explanationSql,
  KINDS_WITH_TRANSACTION,
  toStoredRequest,
  NETWORK_PROGRESS_COLUMNS,
  toNetworkProgress,
  type ExplanationRow,
  type NetworkProgressRow,
} from './explanation-row.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';

export interface OwnAddress extends Recipient {
  readonly network: string;
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
}

const EXPLANATION_OF_REQUEST = `${explanationSql()}
  WHERE r.id = $1 AND ($2::uuid IS NULL OR r.point_of_sale_id = $2) AND r.organization_id = $3 AND ($4::uuid IS NULL OR r.account_id = $4)`;

/** An exchange may pay many requests with one transaction. */
const MAX_EXPLAINED_REQUESTS = 50;

/** The index `transfers_unique_by_transaction` starts with network and kind and has only canonical rows. */
export const REQUESTS_PAID_BY_TRANSACTION = `SELECT payment_request_id FROM payments.transfers
  WHERE network = ANY($1) AND kind IN ${KINDS_WITH_TRANSACTION} AND transaction_hash = $2 AND canonical
    AND organization_id = $3 AND ($4::uuid IS NULL OR account_id = $4)`;

const EXPLANATIONS_OF_TRANSACTION = `${explanationSql(`t.transaction_hash = $2 AND t.network = ANY($1) AND t.kind IN ${KINDS_WITH_TRANSACTION} AND t.canonical`)}
  WHERE r.id IN (${REQUESTS_PAID_BY_TRANSACTION} ORDER BY 1 LIMIT ${MAX_EXPLAINED_REQUESTS}) ORDER BY r.id`;

@Injectable()
export class ExplanationQueries {
  constructor(private readonly database: Database) {}

  /** @param pointOfSale null accepts any in scope @throws not_found, also for another tenant's request */
  async readRequest(
    scope: TenantScope,
    pointOfSale: PointOfSaleId | null,
    id: PaymentRequestId,
  ): Promise<StoredRequestToExplain> {
    const { organizationId, accountId } = scope;
    const values = [id, pointOfSale, organizationId, accountId];
    const [row] = await this.database.query<ExplanationRow>(EXPLANATION_OF_REQUEST, values);
    if (row === undefined) throw notFound('payment request');
    return toStoredRequest(row);
  }

  /**
   * Returns at most fifty requests.
   * @param networks all that may contain the transaction, because the index starts with the network
   */
  async listRequestsPaidBy(
    scope: TenantScope,
    networks: readonly string[],
    hash: string,
  ): Promise<StoredRequestToExplain[]> {
    const values = [networks, hash, scope.organizationId, scope.accountId];
    const rows = await this.database.query<ExplanationRow>(EXPLANATIONS_OF_TRANSACTION, values);
    return rows.map(toStoredRequest);
  }

  async findOwnAddresses(
    { organizationId, accountId }: TenantScope,
    networks: readonly string[],
    addresses: readonly string[],
  ): Promise<OwnAddress[]> {
    const rows = await this.database.query<RowOf<OwnAddress>>(
      `SELECT a.network, a.address, NULLIF(a.tag, '') AS tag, a.payment_request_id,
         r.point_of_sale_id
       FROM payments.deposit_addresses a JOIN payments.payment_requests r ON r.id = a.payment_request_id
       WHERE a.network = ANY($1) AND a.address = ANY($2) AND a.organization_id = $3
         AND ($4::uuid IS NULL OR a.account_id = $4) ORDER BY a.network`,
      [networks, addresses, organizationId, accountId],
    );
    return rows.map((row) => withoutNulls<OwnAddress>(row));
  }

  async readNetworkProgress(networks: readonly string[]): Promise<StoredNetworkProgress[]> {
    const rows = await this.database.query<NetworkProgressRow>(
      `SELECT n.network, ${NETWORK_PROGRESS_COLUMNS} FROM UNNEST($1::text[]) WITH ORDINALITY AS n (network, position)
       LEFT JOIN payments.chain_cursors c USING (network) ORDER BY n.position`,
      [networks],
    );
    return rows.map(toNetworkProgress);
  }
}
