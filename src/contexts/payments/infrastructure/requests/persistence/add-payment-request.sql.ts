import { newId } from '#shared/kernel/ids.js';
import { insertIdempotencyKeySql } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import { namedParameterStatement, type Statement } from '#shared/platform/database/sql-statements.js';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import { isWatchedCondition } from '#contexts/chain-watching/contract/reading-progress.js';
import { DEPOSIT_ADDRESS_COLUMNS, toSelectionRow } from './save-payment-requests.sql.js';

export interface IdempotencyKeySql {
  /** Reads from `preconditions`. Has one row if the idempotency key is stored. */
  readonly cte: string;
  readonly join: string;
  readonly column: string;
}

export const WITHOUT_IDEMPOTENCY_KEY: IdempotencyKeySql = { cte: '', join: '', column: '' };

export const WITH_IDEMPOTENCY_KEY: IdempotencyKeySql = {
  cte: `, key AS (${insertIdempotencyKeySql('FROM preconditions WHERE current AND watched')})`,
  join: ', key',
  column: ', EXISTS (SELECT FROM key) AS key_stored',
};

/** Prevents deletion of the point of sale and its account until the transaction ends. */
export const IS_POINT_OF_SALE_CURRENT = `point_of_sale.public_hold_version($pointOfSaleId, $organizationId, $accountId,
    $pointOfSaleVersion) AS current,`;

/** Publishing through the event log would need a separate statement. */
export const HISTORY_AND_EVENT = `history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at)
  SELECT id, 1, $status, $createdAt FROM request
), event AS (
  INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT $eventId::uuid, $eventType, id, $organizationId, $accountId, $createdAt, $eventData::jsonb FROM request
  RETURNING transaction_id
)`;

export const WRITING_DATABASE_TRANSACTION =
  '(SELECT transaction_id::text FROM event) AS writing_transaction_id';

/**
 * Stores nothing if the point of sale has changed (`current`), if its network is not watched (`watched`), or if the
 * idempotency key is taken, because the join with `key` then has no row.
 */
const addRequestSql = (key: IdempotencyKeySql) =>
  namedParameterStatement(`
WITH preconditions AS MATERIALIZED (
  SELECT ${IS_POINT_OF_SALE_CURRENT} ${isWatchedCondition('$network')} AS watched
)${key.cte}, request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until,
    underpayment_tolerance, minimum_amount)
  SELECT $id::uuid, $organizationId::uuid, $accountId::uuid, $pointOfSaleId::uuid, 'fixed', $status, $network,
    $uniqueAssetId, $currency, $decimals::smallint, $amount::numeric, $referenceId, $order::jsonb, $token,
    $createdAt::timestamptz, $expiresAt::timestamptz, $countsUntil::timestamptz, $underpaymentTolerance::jsonb,
    $minimumAmount::numeric
  FROM preconditions${key.join} WHERE current AND watched
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (${DEPOSIT_ADDRESS_COLUMNS})
  SELECT $network, $address, id, $organizationId, $accountId, $uniqueAssetId, $tag, $derivation::jsonb,
    $settlementTermsId::uuid, $settlementAddress, $feeRecipient, $feeBasisPoints::integer, $numberingId::integer,
    $number::integer, COALESCE($isDelivered::boolean, false), $createdAt
  FROM request
), ${HISTORY_AND_EVENT}
SELECT current, watched${key.column}, ${WRITING_DATABASE_TRANSACTION} FROM preconditions`);

const ADD_REQUEST = addRequestSql(WITHOUT_IDEMPOTENCY_KEY);
const ADD_REQUEST_WITH_KEY = addRequestSql(WITH_IDEMPOTENCY_KEY);

/** Requests without a hosted page are the most frequent, so they have the shortest statement. */
export function buildAddPaymentRequestSql(
  created: NewPaymentRequest,
  event: PaymentRequestEvent,
  pointOfSaleVersion: string,
): Statement {
  const { request, idempotencyKey } = created;
  const values = {
    ...newPaymentRequestValues(created, event, pointOfSaleVersion),
    ...{ numberingId: undefined, number: undefined, isDelivered: undefined },
    ...toSelectionRow(request.selected!),
  };
  return idempotencyKey ? ADD_REQUEST_WITH_KEY({ ...values, ...idempotencyKey }) : ADD_REQUEST(values);
}

/** Times are strings: the driver writes a `Date` in the local time zone. */
export function newPaymentRequestValues(
  { request, token }: NewPaymentRequest,
  event: PaymentRequestEvent,
  pointOfSaleVersion: string,
): object {
  const { status, expiresAt, countsUntil } = request.snapshot();
  const { id, organizationId, accountId, pointOfSaleId, createdAt, ...facts } = request.facts;
  const { referenceId, order, underpaymentTolerance } = facts;
  return {
    ...{ id, organizationId, accountId, pointOfSaleId, pointOfSaleVersion, status, token },
    ...{ referenceId, order, underpaymentTolerance },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    countsUntil: countsUntil.toISOString(),
    eventId: newId(),
    eventType: event.type,
    eventData: event.data,
  };
}
