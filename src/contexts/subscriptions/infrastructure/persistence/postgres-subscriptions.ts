import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { Subscription } from '../../domain/subscription.js';
import { Subscriptions, type PlannedChargeRequest } from '../../domain/subscriptions.js';
import {
  APPEND_STATUS_HISTORY_SQL,
  SAVE_CHARGE_REQUESTS,
  SAVE_CHARGES,
  UPDATE_SUBSCRIPTIONS,
} from './save-subscriptions.sql.js';
import {
  chargeFromRow,
  LOAD_CHARGES,
  SUBSCRIPTION_COLUMNS,
  subscriptionFromRow,
  type ChargeRow,
  type SubscriptionRow,
} from './subscription-rows.js';

/** The key of a job is the payment request's id. */
export const CHARGE_REQUEST_JOB_KIND = 'charge_request';

const SELECT_SUBSCRIPTIONS = `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s`;

const IS_DUE =
  't.next_step_at <= platform.now() AND (t.parked_until IS NULL OR t.parked_until <= platform.now())';

/** Selects four times the limit before locking, so that several processes can lock different subscriptions. */
export const LOCK_DUE_SUBSCRIPTIONS_SQL = `SELECT s.id FROM (SELECT id FROM ${selectDueIdsRoundRobin({
  table: 'subscriptions.subscriptions',
  waits: 't.next_step_at IS NOT NULL',
  isDue: IS_DUE,
  oldestFirst: 't.next_step_at',
  limit: '4 * $1::integer',
})} due ORDER BY turn) taken
CROSS JOIN LATERAL (SELECT id FROM subscriptions.subscriptions t WHERE id = taken.id AND ${IS_DUE} FOR UPDATE SKIP LOCKED) s
LIMIT $1`;

@Injectable()
export class PostgresSubscriptions extends Subscriptions {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly eventLog: EventLog,
    private readonly cell: DeploymentCell,
  ) {
    super();
  }

  async add(subscription: Subscription): Promise<void> {
    const { asset, ...state } = subscription.snapshot;
    const added = await this.database.queryInTransaction(
      `INSERT INTO subscriptions.subscriptions (id, organization_id, account_id, point_of_sale_id, code, merchant_name,
         network, unique_asset_id, currency, decimals, amount, "interval", reference_id, trial_until, ends_at, status,
         offered_until, next_number, next_charge_at, next_step_at, created_at, updated_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::integer, $11::numeric, $12, $13, $14::timestamptz, $15::timestamptz,
         $16, $17::timestamptz, $18::integer, $19::timestamptz, $20::timestamptz, $21::timestamptz, $21::timestamptz
       WHERE identity.public_hold_account($2, $3) RETURNING id`,
      [
        ...[
          state.id,
          state.organizationId,
          state.accountId,
          state.pointOfSaleId,
          state.code,
          state.merchantName,
        ],
        ...[asset.network, asset.uniqueAssetId, asset.symbol, asset.decimals, state.amount.toString()],
        ...[state.interval, state.referenceId ?? null, state.trialUntil ?? null, state.endsAt ?? null],
        ...[state.status, state.offeredUntil, state.next?.number ?? null, state.next?.at ?? null],
        ...[subscription.nextStepAt, state.createdAt],
      ],
    );
    if (added.length === 0) throw notFound('point of sale');
    await this.publish([subscription]);
  }

  async lock(
    { organizationId, accountId }: TenantScope,
    id: SubscriptionId,
    pointOfSale?: PointOfSaleId,
  ): Promise<Subscription> {
    const [subscription] = await this.restore(
      `${SELECT_SUBSCRIPTIONS} WHERE s.id = $1 AND s.organization_id = $2 AND ($3::uuid IS NULL OR s.account_id = $3)
         AND ($4::uuid IS NULL OR s.point_of_sale_id = $4) FOR UPDATE OF s`,
      [id, organizationId, accountId, pointOfSale ?? null],
    );
    if (subscription === undefined) throw notFound('subscription');
    return subscription;
  }

  async lockByPageCode(code: string): Promise<Subscription | null> {
    if (this.cell.isCodeOfOtherCell(code)) return null;
    const [subscription] = await this.restore(`${SELECT_SUBSCRIPTIONS} WHERE s.code = $1 FOR UPDATE OF s`, [
      code,
    ]);
    return subscription ?? null;
  }

  async lockDue(limit: number): Promise<SubscriptionId[]> {
    const rows = await this.database.queryInTransaction<{ id: SubscriptionId }>(LOCK_DUE_SUBSCRIPTIONS_SQL, [
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  lockByIds(ids: readonly SubscriptionId[]): Promise<Subscription[]> {
    return this.restore(
      `${SELECT_SUBSCRIPTIONS} WHERE s.id = ANY ($1::uuid[]) ORDER BY s.id FOR UPDATE OF s`,
      [ids],
    );
  }

  async parkAfterFailure(id: SubscriptionId, seconds: number): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE subscriptions.subscriptions SET parked_until = platform.now() + make_interval(secs => $2) WHERE id = $1',
      [id, seconds],
    );
  }

  lockByChargeRequests(requests: readonly PaymentRequestId[]): Promise<Subscription[]> {
    return this.restore(
      `${SELECT_SUBSCRIPTIONS} WHERE s.id IN (SELECT r.subscription_id FROM subscriptions.charge_requests r
           WHERE r.payment_request_id = ANY ($1::uuid[]))
         ORDER BY s.id FOR UPDATE OF s`,
      [requests],
      requests,
    );
  }

  async save(subscriptions: readonly Subscription[]): Promise<void> {
    if (subscriptions.length === 0) return;
    const saved = await this.database.queryInTransaction(UPDATE_SUBSCRIPTIONS, [
      JSON.stringify(subscriptions.map(toRow)),
    ]);
    if (saved.length !== subscriptions.length) throw new Error('a subscription is not stored');
    const charges = subscriptions.flatMap(toChargeRows);
    const requests = charges.flatMap(toRequestRows);
    if (charges.length > 0) await this.database.queryInTransaction(SAVE_CHARGES, [JSON.stringify(charges)]);
    if (requests.length > 0)
      await this.database.queryInTransaction(SAVE_CHARGE_REQUESTS, [JSON.stringify(requests)]);
    const planned = requests.filter(({ status }) => status === 'planned');
    await this.scheduledJobs.schedule(
      CHARGE_REQUEST_JOB_KIND,
      planned.map(({ id, organizationId, plannedAt }) => ({
        key: id,
        lane: organizationId,
        dueAt: plannedAt,
      })),
    );
    await this.publish(subscriptions);
  }

  async findPlannedChargeRequest(request: PaymentRequestId): Promise<PlannedChargeRequest | null> {
    const [row] = await this.database.query<PlannedChargeRequest>(
      `SELECT r.payment_request_id AS id, s.organization_id, s.account_id,
         s.point_of_sale_id, s.unique_asset_id, s.amount, s.decimals,
         COALESCE(s.reference_id, s.id::text) AS reference_id
       FROM subscriptions.charge_requests r JOIN subscriptions.subscriptions s ON s.id = r.subscription_id
       WHERE r.payment_request_id = $1 AND r.status = 'planned'`,
      [request],
    );
    return row ?? null;
  }

  async recordChargeRequestRefusal(request: PaymentRequestId, why: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriptions.charge_requests SET refused = $2 WHERE payment_request_id = $1 AND status = 'planned'`,
      [request, why],
    );
  }

  private async restore(
    text: string,
    values: unknown[],
    requests: readonly PaymentRequestId[] = [],
  ): Promise<Subscription[]> {
    const read = () => this.database.queryInTransaction<SubscriptionRow>(text, values);
    let rows = await read();
    // After waiting for a lock, the query returns the current row but an outdated wallet, so it is repeated.
    if (rows.some(isWithoutItsWallet)) rows = await read();
    if (rows.length === 0) return [];
    const charges = await this.database.queryInTransaction<ChargeRow>(LOAD_CHARGES, [
      rows.map(({ id }) => id),
      requests,
    ]);
    const of = Map.groupBy(charges, ({ subscriptionId }) => subscriptionId);
    return rows.map((row) =>
      Subscription.restore(subscriptionFromRow(row), (of.get(row.id) ?? []).map(chargeFromRow)),
    );
  }

  private async publish(subscriptions: readonly Subscription[]): Promise<void> {
    const events = subscriptions.flatMap((subscription) => subscription.pullEvents());
    if (events.length === 0) return;
    const steps = events.map(({ aggregateId, data: { status }, occurredAt }, n) => ({
      ...{ id: aggregateId, n, status, at: occurredAt },
    }));
    await this.database.queryInTransaction(APPEND_STATUS_HISTORY_SQL, [JSON.stringify(steps)]);
    await this.eventLog.append(events);
  }
}

function isWithoutItsWallet({ walletId, walletExternalId }: SubscriptionRow): boolean {
  return walletId !== null && walletExternalId === null;
}

function toRow(subscription: Subscription) {
  const { id, status, wallet, acceptedAt, firstDueAt, next, revokedBy, updatedAt } = subscription.snapshot;
  return {
    ...{ id, status, walletId: wallet?.id, acceptedAt, firstDueAt, revokedBy, updatedAt },
    ...{ nextNumber: next?.number, nextChargeAt: next?.at, nextStepAt: subscription.nextStepAt },
  };
}

function toChargeRows({ snapshot, chargesByNumber }: Subscription) {
  const { id: subscriptionId, organizationId, accountId } = snapshot;
  return chargesByNumber.map((charge) => ({ ...charge.snapshot, subscriptionId, organizationId, accountId }));
}

function toRequestRows(charge: ReturnType<typeof toChargeRows>[number]) {
  const { id: chargeId, subscriptionId, organizationId, accountId, requests } = charge;
  return requests.map((request) => ({ ...request, chargeId, subscriptionId, organizationId, accountId }));
}
