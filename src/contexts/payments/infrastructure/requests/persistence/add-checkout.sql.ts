import { namedParameterStatement, type Statement } from '#shared/platform/database/sql-statements.js';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import type { Checkout } from '#contexts/payments/domain/requests/payment-request-facts.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import {
  IS_POINT_OF_SALE_CURRENT,
  HISTORY_AND_EVENT,
  newPaymentRequestValues,
  WITH_IDEMPOTENCY_KEY,
  WITHOUT_IDEMPOTENCY_KEY,
  WRITING_DATABASE_TRANSACTION,
  type IdempotencyKeySql,
} from './add-payment-request.sql.js';
import { isWatchedCondition } from '#contexts/chain-watching/contract/reading-progress.js';
import {
  DEPOSIT_ADDRESS_COLUMNS,
  SELECTION_COLUMNS,
  STORED_SELECTION_COLUMNS,
  toSelectionRow,
} from './save-payment-requests.sql.js';

/**
 * One statement. Returns one row: `current` (the point of sale has not changed), `watched` (its network is watched),
 * `stored` (false if the id is already used), and `key_stored`.
 */
const addCheckoutSql = (key: IdempotencyKeySql) =>
  namedParameterStatement(`
WITH selected AS (
  SELECT * FROM jsonb_to_record($selection::jsonb) AS s (${SELECTION_COLUMNS})
), preconditions AS MATERIALIZED (
  SELECT ${IS_POINT_OF_SALE_CURRENT} s.network IS NULL OR ${isWatchedCondition('s.network')} AS watched
  FROM selected s
)${key.cte}, request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until,
    underpayment_tolerance)
  SELECT $id::uuid, $organizationId::uuid, $accountId::uuid, $pointOfSaleId::uuid, 'fixed', $status, s.network,
    s."uniqueAssetId", s.currency, s.decimals, s.amount, $referenceId, $order::jsonb, $token, $createdAt::timestamptz,
    $expiresAt::timestamptz, $countsUntil::timestamptz, $underpaymentTolerance::jsonb
  FROM preconditions, selected s${key.join} WHERE current AND watched
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (${DEPOSIT_ADDRESS_COLUMNS})
  SELECT s.network, s.address, id, $organizationId, $accountId, s."uniqueAssetId", s.tag, s.derivation,
    s."settlementTermsId", s."settlementAddress", s."feeRecipient", s."feeBasisPoints", s."numberingId", s.number,
    COALESCE(s."isDelivered", false), $createdAt
  FROM request, selected s WHERE s.network IS NOT NULL
), checkout AS (
  INSERT INTO payments.checkouts (payment_request_id, organization_id, account_id, session_id, amount, coin_code,
    payment_options, merchant, return_url, frame_origins, checkout_first, payment_link_id, amount_by_payer, created_at)
  SELECT id, $organizationId, $accountId, $sessionId, $price, $coinCode, $paymentOptions::text[], $merchant::jsonb,
    $returnUrl, $frameOrigins::text[], $checkoutFirst, $paymentLinkId::uuid, $amountByPayer::boolean, $createdAt
  FROM request
), selection AS (
  INSERT INTO payments.selections (${STORED_SELECTION_COLUMNS})
  SELECT id, s."uniqueAssetId", $organizationId, $accountId, s.network, s.currency, s.decimals, s.amount,
    s."minimumAmount", s."inclusionGraceSeconds", s.address, s.tag, s.rate, s."rateSources", s."rateAt", $createdAt
  FROM request, selected s WHERE s.network IS NOT NULL
), ${HISTORY_AND_EVENT}
SELECT current, watched, EXISTS (SELECT FROM request) AS stored${key.column}, ${WRITING_DATABASE_TRANSACTION} FROM preconditions`);

const ADD_CHECKOUT = addCheckoutSql(WITHOUT_IDEMPOTENCY_KEY);
const ADD_CHECKOUT_WITH_KEY = addCheckoutSql(WITH_IDEMPOTENCY_KEY);

export function buildAddCheckoutSql(
  created: NewPaymentRequest & { readonly checkout: Checkout },
  event: PaymentRequestEvent,
  pointOfSaleVersion: string,
): Statement {
  const { request, idempotencyKey } = created;
  const { amount: price, returnUrl, paymentLinkId, amountByPayer, ...checkout } = created.checkout;
  const values = {
    ...newPaymentRequestValues(created, event, pointOfSaleVersion),
    selection: request.selected === null ? {} : toSelectionRow(request.selected),
    ...{ ...checkout, price, returnUrl, paymentLinkId, amountByPayer },
  };
  return idempotencyKey ? ADD_CHECKOUT_WITH_KEY({ ...values, ...idempotencyKey }) : ADD_CHECKOUT(values);
}
