import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { IdempotencyKeyTaken } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import type { PaymentRequest } from '#contexts/payments/domain/requests/payment-request.js';
import {
  PaymentRequests,
  RequestExistsError,
  type NewPaymentRequest,
  type CreationRefusal,
} from '#contexts/payments/domain/requests/payment-requests.js';
import {
  NO_UNREVERSED_DEPOSITS,
  type UnreversedDeposits,
} from '#contexts/payments/domain/requests/booking/reversal-rule.js';
import { buildAddCheckoutSql } from './add-checkout.sql.js';
import { buildAddPaymentRequestSql } from './add-payment-request.sql.js';
import {
  PAYMENT_REQUEST_COLUMNS,
  toPaymentRequest,
  type PaymentRequestRow,
  lockRequests,
} from './payment-request-row.js';
import {
  INSERT_HISTORY,
  INSERT_HOLDS,
  INSERT_SELECTIONS,
  UPDATE_REQUESTS,
  UPSERT_SUMS,
  UPSERT_TRANSFERS,
  toHistoryRows,
  toHoldRows,
  toSelectionRows,
  toStateRow,
  toSumRows,
  toTransferRows,
} from './save-payment-requests.sql.js';
import { pruneRequests, restorePrunedRequests } from './pruned-requests.js';
import { UPSERT_PAYER_MAIL, ISSUE_RECEIPTS, mailValues, newReceiptRows } from './receipts.sql.js';
import { isWatchedCondition } from '#contexts/chain-watching/contract/reading-progress.js';
import {
  EXPIRED_WITHOUT_ASSET,
  PAYMENT_UNSEEN_STATUSES_SQL,
  WATCHED_STATUSES_SQL,
} from './status-and-deadline.sql.js';

/** A block may contain tens of thousands of transfers. */
const MAX_ROWS = 2_000;

@Injectable()
export class PostgresPaymentRequests extends PaymentRequests {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
    private readonly cell: DeploymentCell,
  ) {
    super();
  }

  async add(created: NewPaymentRequest, pointOfSaleVersion: string): Promise<CreationRefusal | null> {
    const { payerEmail: recipient } = created;
    if (recipient === undefined) return this.store(created, pointOfSaleVersion);
    return this.database.run(async () => {
      const refused = await this.store(created, pointOfSaleVersion);
      const mail = mailValues(created.request.id, { recipient, language: 'en', askedBy: 'merchant' });
      if (refused === null) await this.database.queryInTransaction(UPSERT_PAYER_MAIL, mail);
      return refused;
    });
  }

  private async store(
    created: NewPaymentRequest,
    pointOfSaleVersion: string,
  ): Promise<CreationRefusal | null> {
    const { request, checkout } = created;
    const [event] = request.pullEvents() as [PaymentRequestEvent];
    const [row] = await this.database.query<CreationRow>(
      ...(checkout === undefined
        ? buildAddPaymentRequestSql(created, event, pointOfSaleVersion)
        : buildAddCheckoutSql({ ...created, checkout }, event, pointOfSaleVersion)),
    );
    const refused = creationRefusal(row!);
    if (refused !== null) return refused;
    if (row!.keyStored === false) throw new IdempotencyKeyTaken();
    if (row!.stored === false) throw new RequestExistsError();
    this.database.whenCommitted(() =>
      this.database.identity.acknowledged.addRows('payments.payment_requests', [request.id]),
    );
    this.eventLog.notifyObservers([event]);
    return null;
  }

  async findCreationRefusal(
    { facts }: PaymentRequest,
    pointOfSaleVersion: string,
    network: string,
  ): Promise<CreationRefusal | null> {
    const [row] = await this.database.queryInTransaction<CreationRow>(
      `SELECT EXISTS (SELECT 1 FROM point_of_sale.public_point_of_sale_versions p
                      WHERE p.id = $1 AND p.organization_id = $2 AND p.account_id = $3 AND p.version = $4) AS current,
              ${isWatchedCondition('$5')} AS watched`,
      [facts.pointOfSaleId, facts.organizationId, facts.accountId, pointOfSaleVersion, network],
    );
    return creationRefusal(row!);
  }

  async lock(ids: readonly PaymentRequestId[]): Promise<PaymentRequest[]> {
    if (ids.length === 0) return [];
    const locked = await lockRequests(this.database, 'id = ANY($1)', [ids]);
    // A request that is not found may have been pruned. Funds sent to its address still belong to it.
    if (locked.length < new Set(ids).size) {
      await restorePrunedRequests(this.database, ids);
      await lockRequests(this.database, 'id = ANY($1)', [ids]);
    }
    // A separate statement, because a statement that waited for the lock would see older transfers and history.
    const rows = await this.database.queryInTransaction<PaymentRequestRow>(
      `SELECT ${PAYMENT_REQUEST_COLUMNS} FROM payments.payment_requests r WHERE r.id = ANY($1) ORDER BY r.id`,
      [ids],
    );
    return rows.map(toPaymentRequest);
  }

  async lockOwned(
    { organizationId, accountId }: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequest> {
    const own = await this.database.queryInTransaction(
      `SELECT FROM payments.payment_requests WHERE id = $1 AND point_of_sale_id = $2 AND organization_id = $3
         AND ($4::uuid IS NULL OR account_id = $4)`,
      [id, pointOfSale, organizationId, accountId],
    );
    const [request] = own.length === 0 ? [] : await this.lock([id]);
    if (request === undefined) throw notFound('payment request');
    return request;
  }

  async hasPendingAuthorization(id: PaymentRequestId): Promise<boolean> {
    const rows = await this.database.queryInTransaction(
      `SELECT FROM payments.authorizations WHERE payment_request_id = $1 AND state IN ('queued', 'sent') LIMIT 1`,
      [id],
    );
    return rows.length > 0;
  }

  async countSelections(id: PaymentRequestId): Promise<number> {
    const selected: PaymentRequestEvent['type'] = 'payment_request.asset_selected';
    const [row] = await this.database.queryInTransaction<{ count: number }>(
      'SELECT count(*)::integer AS count FROM platform.events WHERE aggregate_id = $1 AND type = $2',
      [id, selected],
    );
    return row!.count;
  }

  async unreversedDeposits(ids: readonly string[]): Promise<UnreversedDeposits> {
    if (ids.length === 0) return NO_UNREVERSED_DEPOSITS;
    const rows = await this.database.queryInTransaction<{ depositId: string; amount: bigint }>(
      `SELECT deposit_id, sum(amount) AS amount FROM payments.transfers
       WHERE deposit_id = ANY($1) AND reversed_at IS NULL GROUP BY deposit_id`,
      [[...new Set(ids)]],
    );
    return new Map(rows.map((row) => [row.depositId, row.amount]));
  }

  async lockOpenAtPointOfSale(pointOfSale: PointOfSaleId): Promise<PaymentRequest[] | null> {
    // An advisory lock, because a request whose creation is not committed has no row to lock.
    const [lock] = await this.database.queryInTransaction<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free`,
      [pointOfSale],
    );
    if (!lock!.free) return null;
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(
      `SELECT r.id FROM payments.payment_requests r LEFT JOIN payments.checkouts c ON c.payment_request_id = r.id
       WHERE r.point_of_sale_id = $1 AND r.status IN ${PAYMENT_UNSEEN_STATUSES_SQL} AND c.amount_by_payer IS NOT TRUE`,
      [pointOfSale],
    );
    return this.lock(rows.map((row) => row.id));
  }

  async lockOpenInAsset(uniqueAssetId: string, limit: number): Promise<PaymentRequest[]> {
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(
      `SELECT id FROM payments.payment_requests
       WHERE lower(unique_asset_id) = lower($1) AND status IN ${WATCHED_STATUSES_SQL} ORDER BY id LIMIT $2`,
      [uniqueAssetId, limit],
    );
    return this.lock(rows.map((row) => row.id));
  }

  async lockUnselected(expiredBefore: Date, limit: number): Promise<PaymentRequest[]> {
    const rows = await this.database.queryInTransaction<{ id: PaymentRequestId }>(EXPIRED_WITHOUT_ASSET, [
      expiredBefore,
      limit,
    ]);
    return this.lock(rows.map((row) => row.id));
  }

  async countOpenByAsset(): Promise<Map<string, number>> {
    const rows = await this.database.query<{ uniqueAssetId: string; count: number }>(
      `SELECT unique_asset_id, count(*)::integer AS count FROM payments.payment_requests
       WHERE status IN ${WATCHED_STATUSES_SQL} GROUP BY unique_asset_id ORDER BY unique_asset_id`,
    );
    return new Map(rows.map((row) => [row.uniqueAssetId, row.count]));
  }

  async prune(ids: readonly PaymentRequestId[]): Promise<void> {
    await pruneRequests(this.database, ids);
  }

  async save(requests: readonly PaymentRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const updated = await this.database.queryInTransaction(UPDATE_REQUESTS, [
      JSON.stringify(requests.map(toStateRow)),
    ]);
    if (updated.length !== requests.length)
      throw new Error('A payment request was changed by another process in the meantime.');
    await this.insertUnsaved(INSERT_SELECTIONS, requests.flatMap(toSelectionRows));
    await this.insertUnsaved(UPSERT_SUMS, requests.flatMap(toSumRows));
    await this.insertUnsaved(UPSERT_TRANSFERS, requests.flatMap(toTransferRows));
    await this.insertUnsaved(INSERT_HOLDS, requests.flatMap(toHoldRows));
    await this.insertUnsaved(INSERT_HISTORY, requests.flatMap(toHistoryRows));
    const receipts = requests.flatMap((request) => newReceiptRows(request, this.cell));
    await this.insertUnsaved(ISSUE_RECEIPTS, receipts);
    await this.eventLog.append(requests.flatMap((request) => request.pullEvents()));
  }

  private async insertUnsaved(statement: string, rows: readonly object[]): Promise<void> {
    for (let at = 0; at < rows.length; at += MAX_ROWS)
      await this.database.queryInTransaction(statement, [JSON.stringify(rows.slice(at, at + MAX_ROWS))]);
  }
}

interface CreationRow {
  current: boolean;
  watched: boolean;
  /** False if the idempotency key is already used. */
  keyStored?: boolean;
  /** False if the session id is already used. */
  stored?: boolean;
}

function creationRefusal({ current, watched }: CreationRow): CreationRefusal | null {
  if (!current) return 'point_of_sale_changed';
  return watched ? null : 'network_not_watched';
}
