import { newId } from '#shared/kernel/ids.js';
import { keyValues } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import type { Checkout } from '#contexts/payments/domain/requests/payment-request-facts.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import { keyPart, NO_KEY, type KeyPart, type Statement } from './add-payment-request.sql.js';
import { isWatched } from '#contexts/chain-watching/contract/reading-progress.sql.js';
import { SELECTION_COLUMNS, toSelectionRow } from './save-payment-requests.sql.js';

/**
 * Stores a new checkout whole in one statement, under the conditions of `ADD_PAYMENT_REQUEST`; with its asset and
 * address where that is known already. Answers one row: `current`, `watched`, `stored`
 * (false where the id was used already), and `keyed` with a key.
 */
const addCheckoutText = (key: KeyPart) => `
WITH selected AS (
  SELECT * FROM jsonb_to_record($1::jsonb) AS s (${SELECTION_COLUMNS})
), gate AS MATERIALIZED (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM point_of_sale.public_point_of_sale_versions p
                 WHERE p.id = $5 AND p.organization_id = $3 AND p.account_id = $4 AND p.version = $6)
           THEN identity.public_hold_account($3, $4) ELSE false END AS current,
         s.network IS NULL OR ${isWatched('s.network')} AS watched
  FROM selected s
)${key.cte}, request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until,
    underpayment_tolerance)
  SELECT $2::uuid, $3::uuid, $4::uuid, $5::uuid, 'fixed', $7, s.network, s."uniqueAssetId", s.currency, s.decimals,
    s.amount, $8, $9::jsonb, $10, $11::timestamptz, $12::timestamptz, $13::timestamptz, $26::jsonb
  FROM gate, selected s${key.join} WHERE current AND watched
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
    unique_asset_id, tag, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points,
    numbering_id, number, delivered, created_at)
  SELECT s.network, s.address, id, $3, $4, s."uniqueAssetId", s.tag, s.derivation, s."settlementTermsId",
    s."settlementAddress", s."feeRecipient", s."feeBasisPoints", s."numberingId", s.number,
    COALESCE(s."isDelivered", false), $11
  FROM request, selected s WHERE s.network IS NOT NULL
), checkout AS (
  INSERT INTO payments.checkouts (payment_request_id, organization_id, account_id, session_id, amount, coin_code,
    payment_options, merchant, return_url, frame_origins, checkout_first, payment_link_id, amount_by_payer, created_at)
  SELECT id, $3, $4, $14, $15, $16, $17::text[], $18::jsonb, $19, $20::text[], $21, $22::uuid, $27::boolean, $11 FROM request
), selection AS (
  INSERT INTO payments.selections (payment_request_id, unique_asset_id, organization_id, account_id, network, currency,
    decimals, amount, minimum_amount, inclusion_grace_seconds, address, tag, rate, rate_sources, rate_at, selected_at)
  SELECT id, s."uniqueAssetId", $3, $4, s.network, s.currency, s.decimals, s.amount, s."minimumAmount",
    s."inclusionGraceSeconds", s.address, s.tag, s.rate, s."rateSources", s."rateAt", $11
  FROM request, selected s WHERE s.network IS NOT NULL
), history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at) SELECT id, 1, $7, $11 FROM request
), event AS (
  INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT $23::uuid, $24, id, $3, $4, $11, $25::jsonb FROM request
  RETURNING transaction_id
)
SELECT current, watched, EXISTS (SELECT FROM request) AS stored${key.column},
  (SELECT transaction_id::text FROM event) AS written_in FROM gate`;

const ADD_CHECKOUT = addCheckoutText(NO_KEY);
const ADD_KEYED_CHECKOUT = addCheckoutText(keyPart(28));

export function addCheckout(
  { request, token, checkout, answeredKey }: NewPaymentRequest & { readonly checkout: Checkout },
  pointOfSaleVersion: string,
): Statement {
  const { facts, selected } = request;
  const { status, expiresAt, countsUntil } = request.snapshot();
  const [event] = request.pullEvents();
  const values = [
    JSON.stringify(selected === null ? {} : toSelectionRow(selected)),
    facts.id,
    facts.organizationId,
    facts.accountId,
    facts.pointOfSaleId,
    pointOfSaleVersion,
    status,
    facts.referenceId ?? null,
    facts.order === undefined ? null : JSON.stringify(facts.order),
    token,
    facts.createdAt,
    expiresAt,
    countsUntil,
    checkout.sessionId,
    checkout.amount,
    checkout.coinCode,
    checkout.paymentOptions,
    JSON.stringify(checkout.merchant),
    checkout.returnUrl ?? null,
    checkout.frameOrigins,
    checkout.checkoutFirst,
    checkout.paymentLinkId ?? null,
    newId(),
    event!.type,
    JSON.stringify(event!.data),
    facts.underpaymentTolerance ?? null,
    checkout.amountByPayer ?? null,
  ];
  if (answeredKey === undefined) return [ADD_CHECKOUT, values];
  return [ADD_KEYED_CHECKOUT, [...values, ...keyValues(answeredKey)]];
}
