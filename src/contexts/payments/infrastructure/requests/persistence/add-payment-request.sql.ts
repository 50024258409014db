import { newId } from '#shared/kernel/ids.js';
import { insertKey, keyValues } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import { isWatched } from '#contexts/chain-watching/contract/reading-progress.sql.js';

/** A statement and its values. */
export type Statement = [text: string, values: unknown[]];

/** The parts by which a statement that creates a request stores an idempotency key too. */
export interface KeyPart {
  /** A CTE `key`, behind `gate`: one row where the key is stored. */
  readonly cte: string;
  /** Joined to where the request is inserted from. */
  readonly join: string;
  /** Column `keyed` of the answer: true where the key is stored. */
  readonly column: string;
}

export const NO_KEY: KeyPart = { cte: '', join: '', column: '' };

/** @param first the first of the key's parameters */
export function keyPart(first: number): KeyPart {
  return {
    cte: `, key AS (${insertKey(first, 'FROM gate WHERE current AND watched')})`,
    join: ', key',
    column: ', EXISTS (SELECT FROM key) AS keyed',
  };
}

/**
 * Stores a new request whole in one statement, or nothing where what it was made from has changed or been deleted meanwhile,
 * or its network is not watched well enough.
 * Answers one row: `current`, `watched`, and `keyed` with a key.
 */
const addRequestText = (key: KeyPart) => `
WITH gate AS MATERIALIZED (
  SELECT CASE WHEN EXISTS (SELECT 1 FROM point_of_sale.public_point_of_sale_versions p
                 WHERE p.id = $4 AND p.organization_id = $2 AND p.account_id = $3 AND p.version = $5)
           THEN identity.public_hold_account($2, $3) ELSE false END AS current,
         ${isWatched('$6')} AS watched
)${key.cte}, request AS (
  INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
    unique_asset_id, currency, decimals, amount, reference_id, "order", token, created_at, expires_at, counts_until,
    underpayment_tolerance, minimum_amount)
  SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, 'fixed', 'created', $6, $7, $8, $9::smallint, $10::numeric, $11,
    $12::jsonb, $26, $13::timestamptz, $14::timestamptz, $15::timestamptz, $27::jsonb, $31::numeric
  FROM gate${key.join} WHERE current AND watched
  RETURNING id
), address AS (
  INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
    unique_asset_id, tag, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points,
    numbering_id, number, delivered, created_at)
  SELECT $6, $16, id, $2, $3, $7, $17, $18::jsonb, $19::uuid, $20, $21, $22::integer, $28::integer, $29::integer,
    $30::boolean, $13 FROM request
), history AS (
  INSERT INTO payments.status_history (payment_request_id, step, status, at)
  SELECT id, 1, 'created', $13 FROM request
), event AS (
  INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT $23::uuid, $24, id, $2, $3, $13, $25::jsonb FROM request
  RETURNING transaction_id
)
SELECT current, watched${key.column},
  (SELECT transaction_id::text FROM event) AS written_in FROM gate`;

const ADD_PAYMENT_REQUEST = addRequestText(NO_KEY);
const ADD_KEYED_PAYMENT_REQUEST = addRequestText(keyPart(32));

/**
 * A request without a hosted page: the shortest statement, since it is the most frequent. Times go as text: the driver
 * spells a `Date` in the zone of this process, part by part.
 */
export function addRequest(
  { request, token, answeredKey }: NewPaymentRequest,
  pointOfSaleVersion: string,
): Statement {
  const { facts, selected } = request;
  const { expiresAt, countsUntil } = request.snapshot();
  const { depositAddress, ...asked } = selected!;
  const [event] = request.pullEvents();
  const values = [
    facts.id,
    facts.organizationId,
    facts.accountId,
    facts.pointOfSaleId,
    pointOfSaleVersion,
    asked.network,
    asked.uniqueAssetId,
    asked.currency,
    asked.decimals,
    asked.amount.toString(),
    facts.referenceId ?? null,
    facts.order === undefined ? null : JSON.stringify(facts.order),
    facts.createdAt.toISOString(),
    expiresAt.toISOString(),
    countsUntil.toISOString(),
    depositAddress.address,
    depositAddress.tag ?? '',
    JSON.stringify(depositAddress.derivation),
    depositAddress.settlementTermsId,
    depositAddress.settlementAddress,
    depositAddress.feeRecipient,
    depositAddress.feeBasisPoints,
    newId(),
    event!.type,
    JSON.stringify(event!.data),
    token,
    facts.underpaymentTolerance ?? null,
    depositAddress.numberingId ?? null,
    depositAddress.number ?? null,
    depositAddress.isDelivered ?? false,
    asked.minimumAmount.toString(),
  ];
  if (answeredKey === undefined) return [ADD_PAYMENT_REQUEST, values];
  return [ADD_KEYED_PAYMENT_REQUEST, [...values, ...keyValues(answeredKey)]];
}
