import { newId } from '#shared/kernel/ids.js';
import { insertKeySql } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import { namedStatement, type Statement } from '#shared/platform/database/statements.js';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import { isWatched } from '#contexts/chain-watching/contract/reading-progress.js';
import { DEPOSIT_ADDRESS_COLUMNS, toSelectionRow } from './save-payment-requests.sql.js';

/** The parts of a statement that creates a request and may store an idempotency key too. */
export interface KeyPart {
  /** The CTE `key`, which reads from `gate` and has one row if the key is stored. */
  readonly cte: string;
  /** Joined to the source of the request's INSERT. */
  readonly join: string;
  /** The result column `keyed`: true if the key is stored. */
  readonly column: string;
}

export const WITHOUT_KEY: KeyPart = { cte: '', join: '', column: '' };

export const WITH_KEY: KeyPart = {
  cte: `, key AS (${insertKeySql('FROM gate WHERE current AND watched')})`,
  join: ', key',
  column: ', EXISTS (SELECT FROM key) AS keyed',
};

/** The first column of `gate`. Keeps the account from being deleted until the transaction ends. */
export const CURRENT = `CASE WHEN EXISTS (SELECT 1 FROM point_of_sale.public_point_of_sale_versions p
                 WHERE p.id = $pointOfSaleId AND p.organization_id = $organizationId AND p.account_id = $accountId
                   AND p.version = $pointOfSaleVersion)
           THEN identity.public_hold_account($organizationId, $accountId) ELSE false END AS current,`;

/** The first history step and the event, which the event log would append in a statement of its own. */
export const HISTORY_AND_EVENT = `history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at)
  SELECT id, 1, $status, $createdAt FROM request
), event AS (
  INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT $eventId::uuid, $eventType, id, $organizationId, $accountId, $createdAt, $eventData::jsonb FROM request
  RETURNING transaction_id
)`;

/** The result column that names the transaction. */
export const WRITTEN_IN = '(SELECT transaction_id::text FROM event) AS written_in';

/**
 * Stores a new request in one statement. Stores nothing if the point of sale has changed or was deleted, or if its
 * network is not watched. Returns one row: `current`, `watched`, and `keyed` with a key.
 */
const addRequestStatement = (key: KeyPart) =>
  namedStatement(`
WITH gate AS MATERIALIZED (
  SELECT ${CURRENT} ${isWatched('$network')} AS watched
)${key.cte}, request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until,
    underpayment_tolerance, minimum_amount)
  SELECT $id::uuid, $organizationId::uuid, $accountId::uuid, $pointOfSaleId::uuid, 'fixed', $status, $network,
    $uniqueAssetId, $currency, $decimals::smallint, $amount::numeric, $referenceId, $order::jsonb, $token,
    $createdAt::timestamptz, $expiresAt::timestamptz, $countsUntil::timestamptz, $underpaymentTolerance::jsonb,
    $minimumAmount::numeric
  FROM gate${key.join} WHERE current AND watched
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (${DEPOSIT_ADDRESS_COLUMNS})
  SELECT $network, $address, id, $organizationId, $accountId, $uniqueAssetId, $tag, $derivation::jsonb,
    $settlementTermsId::uuid, $settlementAddress, $feeRecipient, $feeBasisPoints::integer, $numberingId::integer,
    $number::integer, COALESCE($isDelivered::boolean, false), $createdAt
  FROM request
), ${HISTORY_AND_EVENT}
SELECT current, watched${key.column}, ${WRITTEN_IN} FROM gate`);

const ADD_REQUEST = addRequestStatement(WITHOUT_KEY);
const ADD_REQUEST_WITH_KEY = addRequestStatement(WITH_KEY);

/** Stores a request without a hosted page. It has the shortest statement, because it is the most frequent. */
export function addRequest(
  created: NewPaymentRequest,
  event: PaymentRequestEvent,
  pointOfSaleVersion: string,
): Statement {
  const { request, answeredKey } = created;
  const values = {
    ...requestValues(created, event, pointOfSaleVersion),
    ...{ numberingId: undefined, number: undefined, isDelivered: undefined },
    ...toSelectionRow(request.selected!),
  };
  return answeredKey ? ADD_REQUEST_WITH_KEY({ ...values, ...answeredKey }) : ADD_REQUEST(values);
}

/** Values of the statements that create requests. Times are strings: the driver writes a `Date` in the local time zone. */
export function requestValues(
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
