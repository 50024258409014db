import type { Invariant } from '#shared/kernel/invariant.js';
import { SETTLEMENT_PROJECTION } from '../settlement-projection.js';

const MAX_PROJECTION_DELAY = `interval '60 seconds'`;

const IS_APPLIED = `(e.transaction_id, e.position) <= (p.transaction_id, p.position)`;

const FROM_EVENTS = `platform.events e JOIN platform.subscriber_positions p ON p.subscriber = '${SETTLEMENT_PROJECTION}'`;

const number = (field: string) => `(e.data ->> '${field}')::numeric`;

const hasPayoutsEvent = (type: 'final' | 'removed') => `EXISTS (SELECT 1 FROM platform.events o
  WHERE o.aggregate_id = e.aggregate_id AND o.type = 'payouts.${type}'
    AND (o.transaction_id, o.position) <= (p.transaction_id, p.position))`;

/** Payouts that the projection has applied, or should have applied by now. */
const PAYOUTS_TO_APPLY = `SELECT e.aggregate_id AS payouts_id, e.organization_id, e.account_id, e.data ->> 'network' AS network,
    x ->> 'uniqueAssetId' AS unique_asset_id, x ->> 'currency' AS currency, (x ->> 'decimals')::integer AS decimals,
    x ->> 'settlementAddress' AS settlement_address, e.data ->> 'from' AS paid_from,
    e.data ->> 'transactionHash' AS transaction_hash, (x ->> 'paymentRequestId')::uuid AS payment_request_id,
    x ->> 'address' AS address, (x ->> 'toSettlement')::numeric AS to_settlement, (x ->> 'toFee')::numeric AS to_fee,
    (x ->> 'feeBasisPoints')::integer AS fee_basis_points, ${IS_APPLIED} AS applied,
    CASE WHEN ${hasPayoutsEvent('removed')} THEN 'failed' WHEN ${hasPayoutsEvent('final')} THEN 'completed' ELSE 'processing' END AS status
  FROM ${FROM_EVENTS}, jsonb_array_elements(e.data -> 'payouts') x
  WHERE e.type = 'payouts.seen' AND (${IS_APPLIED} OR e.occurred_at < platform.now() - ${MAX_PROJECTION_DELAY})`;

const PAYOUT_COLUMNS = `payouts_id, unique_asset_id, settlement_address, payment_request_id, address, to_settlement, to_fee,
  fee_basis_points`;
const PAYOUTS_BY_EVENT = `SELECT ${PAYOUT_COLUMNS} FROM (${PAYOUTS_TO_APPLY}) expected`;
const STORED_PAYOUTS = `SELECT ${PAYOUT_COLUMNS} FROM settlement.settled_addresses a JOIN settlement.settlements s ON s.id = a.settlement_id`;

export const settlementInvariants: Invariant[] = [
  {
    name: 'settlement-waiting-is-what-events-say',
    promise:
      'The amount of an asset waiting at an address equals the amount booked there minus reversals and payouts. ' +
      'Funds that the merchant received directly are not included.',
    breaches: `SELECT network, address, unique_asset_id, w.amount AS waiting, expected.amount AS expected
      FROM settlement.waiting w FULL JOIN (
        SELECT network, address, unique_asset_id, sum(change) AS amount FROM (
          SELECT e.data ->> 'network' AS network, e.data ->> 'to' AS address, e.data ->> 'uniqueAssetId' AS unique_asset_id,
            CASE e.type WHEN 'payment_request.confirmed' THEN ${number('receivedAmount')}
              WHEN 'payment_request.deposit_received' THEN ${number('amount')}
              ELSE ${number('after')} - ${number('before')} END AS change
          FROM ${FROM_EVENTS} WHERE ${IS_APPLIED} AND NOT e.data ? 'delivered' AND e.type IN
            ('payment_request.confirmed', 'payment_request.deposit_received', 'payment_request.credit_reversed')
          UNION ALL
          SELECT network, address, unique_asset_id, -to_settlement - to_fee FROM (${PAYOUTS_TO_APPLY}) paid
          WHERE applied AND status <> 'failed'
        ) facts GROUP BY network, address, unique_asset_id
      ) expected USING (network, address, unique_asset_id)
      WHERE COALESCE(w.amount, 0) <> COALESCE(expected.amount, 0)`,
  },
  {
    name: 'settlement-records-are-of-payouts',
    promise:
      'Every payout has its settlement record and every record its payouts, with the same owner, amounts, ' +
      'addresses, hash and status. Payouts of the last 60 seconds may be missing until the projection reaches them.',
    breaches: `SELECT payouts_id, unique_asset_id, settlement_address, s.id AS settlement_id
      FROM settlement.settlements s FULL JOIN (
        SELECT payouts_id, organization_id, account_id, network, unique_asset_id, currency, decimals, settlement_address,
          paid_from, transaction_hash, status, sum(to_settlement) AS amount, sum(to_fee) AS fee_amount, count(*)
        FROM (${PAYOUTS_TO_APPLY}) paid
        GROUP BY payouts_id, organization_id, account_id, network, unique_asset_id, currency, decimals,
          settlement_address, paid_from, transaction_hash, status
      ) t USING (payouts_id, unique_asset_id, settlement_address)
      WHERE (s.organization_id, s.account_id, s.network, s.currency, s.decimals, s.paid_from, s.transaction_hash, s.status,
          s.amount, s.fee_amount, s.payment_count)
        IS DISTINCT FROM (t.organization_id, t.account_id, t.network, t.currency, t.decimals, t.paid_from,
          t.transaction_hash, t.status, t.amount, t.fee_amount, t.count)`,
  },
  {
    name: 'settled-addresses-are-of-payouts',
    promise:
      'The addresses of a settlement, their amounts and their fees are those that its transaction paid out.',
    breaches: `(${PAYOUTS_BY_EVENT} EXCEPT ALL ${STORED_PAYOUTS}) UNION ALL (${STORED_PAYOUTS} EXCEPT ALL ${PAYOUTS_BY_EVENT})`,
  },
  {
    name: 'settlement-amounts-are-sums',
    promise:
      'Each settlement has the number of addresses that it records, and its amounts are the sums of theirs.',
    breaches: `SELECT s.id FROM settlement.settlements s
      LEFT JOIN settlement.settled_addresses a ON a.settlement_id = s.id
      GROUP BY s.id HAVING s.amount IS DISTINCT FROM sum(a.to_settlement)
        OR s.fee_amount IS DISTINCT FROM sum(a.to_fee) OR s.payment_count <> count(a.settlement_id)`,
  },
  {
    name: 'settlement-events-follow-edges',
    promise:
      'The events of a settlement begin with processing, follow the allowed transitions, end with its status, and ' +
      'have its owner and amounts.',
    breaches: `SELECT id, s.status, e.statuses FROM settlement.settlements s FULL JOIN (
        SELECT aggregate_id AS id, string_agg(data ->> 'status', ' ' ORDER BY transaction_id, position) AS statuses,
          count(DISTINCT (organization_id, account_id, data - 'status')) AS tellings, min(organization_id::text) AS organization,
          min(account_id::text) AS account, min(data ->> 'amount') AS amount, min(data ->> 'feeAmount') AS fee_amount
        FROM platform.events WHERE type = 'settlement.status_changed' GROUP BY aggregate_id
      ) e USING (id)
      WHERE (s.organization_id::text, s.account_id::text, s.amount::text, s.fee_amount::text, 1)
          IS DISTINCT FROM (e.organization, e.account, e.amount, e.fee_amount, e.tellings)
        OR e.statuses NOT IN ('processing', 'processing completed', 'processing failed', 'processing completed failed')
        OR s.status <> substring(e.statuses FROM '[a-z]+$')`,
  },
];
