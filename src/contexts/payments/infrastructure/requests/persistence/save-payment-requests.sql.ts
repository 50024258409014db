import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequest } from '#contexts/payments/domain/requests/payment-request.js';
import {
  isPendingTransfer,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { hasRequiredFinalityTagSql } from './recorded-transfer-row.js';
import type { Selection } from '#contexts/payments/domain/requests/selection.js';

/** Each statement takes one JSON array of rows; all of them run in one unit of work. */

export const UPDATE_REQUESTS = `
UPDATE payments.payment_requests r
SET status = s.status, network = s.network, unique_asset_id = s."uniqueAssetId", currency = s.currency,
    decimals = s.decimals, amount = s.amount, received_amount = s."receivedAmount", expires_at = s."expiresAt",
    counts_until = s."countsUntil", confirmed_at = s."confirmedAt", outcome_block = s."outcomeBlock",
    underpayment_accepted = s."underpaymentAccepted", uncounting = s.uncounting, sums_at_version = r.version + 1,
    version = r.version + 1
FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, status text, network text, "uniqueAssetId" text, currency text,
  decimals smallint, amount numeric, "receivedAmount" numeric, "expiresAt" timestamptz, "countsUntil" timestamptz,
  "confirmedAt" timestamptz, "outcomeBlock" bigint, "underpaymentAccepted" boolean, uncounting boolean, version integer)
WHERE r.id = s.id AND r.version = s.version
RETURNING r.id`;

export const DEPOSIT_ADDRESS_COLUMNS = `network, address, payment_request_id, organization_id, account_id,
  unique_asset_id, tag, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points,
  numbering_id, number, delivered, created_at`;
export const STORED_SELECTION_COLUMNS = `payment_request_id, unique_asset_id, organization_id, account_id, network, currency,
  decimals, amount, minimum_amount, inclusion_grace_seconds, address, tag, rate, rate_sources, rate_at, selected_at`;

export const SELECTION_COLUMNS = `network text, "uniqueAssetId" text, currency text, decimals smallint, amount numeric,
    "minimumAmount" numeric, address text, tag text, derivation jsonb, "settlementTermsId" uuid, "settlementAddress" text, "feeRecipient" text,
    "feeBasisPoints" integer, "numberingId" integer, number integer, "isDelivered" boolean,
    "inclusionGraceSeconds" integer, rate text, "rateSources" text[], "rateAt" timestamptz,
    "selectedAt" timestamptz`;

/** An address serves every asset of its network that was selected under the same terms. */
export const INSERT_SELECTIONS = `
WITH selected AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS s (payment_request_id uuid, organization_id uuid, account_id uuid,
    ${SELECTION_COLUMNS})
), address AS (
  INSERT INTO payments.deposit_addresses (${DEPOSIT_ADDRESS_COLUMNS})
  SELECT network, address, payment_request_id, organization_id, account_id, "uniqueAssetId", tag, derivation,
    "settlementTermsId", "settlementAddress", "feeRecipient", "feeBasisPoints", "numberingId", number,
    COALESCE("isDelivered", false), "selectedAt"
  FROM selected
  ON CONFLICT (network, address, tag) DO NOTHING
)
INSERT INTO payments.selections (${STORED_SELECTION_COLUMNS})
SELECT payment_request_id, "uniqueAssetId", organization_id, account_id, network, currency, decimals, amount,
  "minimumAmount", "inclusionGraceSeconds", address, tag, rate, "rateSources", "rateAt", "selectedAt"
FROM selected`;

/**
 * The table's checks also apply to proposed rows that only update an existing row: a reversed transfer is not
 * canonical, and a booked transfer is final, even if the cursor has just moved back below its block.
 */
export const UPSERT_TRANSFERS = `
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
  unique_asset_id, currency, from_address, to_address, to_tag, amount, decimals, required_confirmations, payment_request_id,
  organization_id, account_id, canonical, counted, final, awaits_cross_check, gathered_on, deposited_at, deposit_id,
  reversed_at, arrived_at, seen_at, lapses_at, evidence, extra_confirmations, required_tag, detected_at)
SELECT id, network, kind, "transactionHash", index, "blockNumber", "blockHash", "blockTime", "uniqueAssetId", currency,
  "from", "to", "toTag", amount, decimals, "requiredConfirmations", payment_request_id, organization_id, account_id,
  "reversedAt" IS NULL, counted,
  NOT "awaitsCrossCheck" AND ("reversedAt" IS NOT NULL OR EXISTS (
    SELECT FROM payments.chain_cursors c WHERE c.network = t.network AND "blockNumber" + "extraConfirmations" <= c.final_number
      AND ${hasRequiredFinalityTagSql({ tag: '"requiredTag"', block: '"blockNumber"' }, { safe: 'c.safe_number', finalized: 'c.finalized_number' })})),
  "awaitsCrossCheck", "gatheredOn", "depositedAt", "depositId", "reversedAt", "arrivedAt", "seenAt", "lapsesAt", evidence,
  "extraConfirmations", "requiredTag", platform.now()
FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, network text, kind text, "transactionHash" text, index integer,
  "blockNumber" bigint, "blockHash" text, "blockTime" timestamptz, "uniqueAssetId" text, currency text, "from" text,
  "to" text, "toTag" text, amount numeric, decimals smallint, "requiredConfirmations" integer, payment_request_id uuid,
  organization_id uuid, account_id uuid, counted boolean, "awaitsCrossCheck" boolean, "gatheredOn" date,
  "depositedAt" timestamptz, "depositId" uuid, "reversedAt" timestamptz, "arrivedAt" timestamptz,
  "seenAt" timestamptz, "lapsesAt" timestamptz, evidence jsonb, "extraConfirmations" smallint, "requiredTag" text)
ON CONFLICT (id) DO UPDATE SET counted = excluded.counted, awaits_cross_check = excluded.awaits_cross_check,
  deposited_at = excluded.deposited_at, deposit_id = excluded.deposit_id, reversed_at = excluded.reversed_at,
  final = transfers.final OR excluded.final`;

export const UPSERT_SUMS = `
INSERT INTO payments.received_sums (payment_request_id, unique_asset_id, network, seen_amount, final_amount, final_to)
SELECT payment_request_id, "uniqueAssetId", network, seen, final, "finalTo"
FROM jsonb_to_recordset($1::jsonb) AS s (payment_request_id uuid, "uniqueAssetId" text, network text, seen numeric,
  final numeric, "finalTo" bigint)
ON CONFLICT (payment_request_id, unique_asset_id) DO UPDATE
SET seen_amount = excluded.seen_amount, final_amount = excluded.final_amount, final_to = excluded.final_to`;

export const INSERT_HOLDS = `
INSERT INTO payments.settlement_holds (id, network, address, tag, payment_request_id, organization_id, account_id,
  transfer_id, held_at)
SELECT h.id, network, address, tag, h.payment_request_id, h.organization_id, h.account_id, h.transfer_id, h.held_at
FROM jsonb_to_recordset($1::jsonb) AS h (id uuid, network text, address text, tag text, payment_request_id uuid,
  organization_id uuid, account_id uuid, transfer_id uuid, held_at timestamptz)
JOIN payments.deposit_addresses a USING (network, address, tag) WHERE NOT a.delivered`;

export const INSERT_HISTORY = `
INSERT INTO payments.status_history (payment_request_id, step, status, at)
SELECT id, step, status, at
FROM jsonb_to_recordset($1::jsonb) AS h (id uuid, step smallint, status text, at timestamptz)`;

export function toStateRow(request: PaymentRequest): object {
  const { id, status, version, selected, receivedAmount, ...state } = request.snapshot();
  const { expiresAt, countsUntil, confirmedAt, outcomeBlock, underpaymentAccepted, uncounting } = state;
  return {
    ...(selected && toSelectionRow(selected)),
    id,
    status,
    version,
    receivedAmount: receivedAmount.toString(),
    expiresAt,
    countsUntil,
    confirmedAt,
    outcomeBlock,
    underpaymentAccepted,
    uncounting,
  };
}

export function toSelectionRow({ depositAddress, rate, ...selection }: Selection): object {
  return {
    ...selection,
    ...depositAddress,
    amount: selection.amount.toString(),
    minimumAmount: selection.minimumAmount.toString(),
    tag: depositAddress.tag ?? '',
    ...(rate && { rate: rate.price, rateSources: rate.sources, rateAt: rate.at }),
  };
}

export function toSelectionRows(request: PaymentRequest): object[] {
  return request.unsavedChanges().selections.map((selection) => ({
    ...toSelectionRow(selection),
    ...tenantOf(request),
  }));
}

export function toSumRows(request: PaymentRequest): object[] {
  return request.unsavedChanges().sums.map(({ seen, final, ...sum }) => ({
    ...sum,
    payment_request_id: request.id,
    seen: seen.toString(),
    final: final.toString(),
  }));
}

export function toTransferRows(request: PaymentRequest): object[] {
  return request
    .unsavedChanges()
    .transfers.map((transfer) => ({ ...toTransferRow(transfer), ...tenantOf(request) }));
}

export function toTransferRow({ sight, ...transfer }: RecordedTransfer): object {
  const { toTag = '', extraConfirmations = 0, requiredTag = 'finalized', amount } = transfer;
  return {
    ...transfer,
    ...blockFieldsOf(transfer),
    ...sight,
    toTag,
    extraConfirmations,
    requiredTag,
    amount: amount.toString(),
  };
}

/** JSON represents the `Infinity` of a pending transfer as null. */
function blockFieldsOf(transfer: Transfer): object {
  return isPendingTransfer(transfer) ? { blockHash: null, blockTime: null } : {};
}

/** A reversed transfer is never loaded again after the save, so it causes one hold. */
export function toHoldRows(request: PaymentRequest): object[] {
  return request.unsavedChanges().transfers.flatMap(({ id, network, to, toTag = '', reversedAt }) =>
    reversedAt === null
      ? []
      : {
          id: newId(),
          network,
          address: to,
          tag: toTag,
          transfer_id: id,
          held_at: reversedAt,
          ...tenantOf(request),
        },
  );
}

export function toHistoryRows(request: PaymentRequest): object[] {
  return request.unsavedChanges().history.map((entry) => ({ id: request.id, ...entry }));
}

function tenantOf({ id, facts }: PaymentRequest): object {
  return {
    payment_request_id: id,
    organization_id: facts.organizationId,
    account_id: facts.accountId,
  };
}
