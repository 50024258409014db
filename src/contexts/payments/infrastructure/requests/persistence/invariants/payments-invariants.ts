import type { Invariant } from '#shared/kernel/invariant.js';
import { OUTCOME_STATUSES, STATUS_TRANSITIONS } from '#contexts/payments/domain/requests/status.js';
import { postingInvariants } from './posting-invariants.js';
import { IS_FINAL } from '../recorded-transfer-row.js';
import { progressWatermarkExpression } from '#contexts/chain-watching/contract/reading-progress.js';
import {
  RECEIVED_TIME,
  IS_PART_OF_OUTCOME,
  ENDED_STATUSES_SQL,
  IS_RECEIVED,
  MINIMUM_PAYMENT,
  OUTCOME_STATUSES_SQL,
  PAYMENT_UNSEEN_STATUSES_SQL,
  WATCHED_STATUSES_SQL,
} from '../status-and-deadline.sql.js';

const ALLOWED_TRANSITIONS = Object.entries(STATUS_TRANSITIONS)
  .flatMap(([from, targets]) => targets.map((to) => `('${from}', '${to}')`))
  .concat(OUTCOME_STATUSES.map((outcome) => `('${outcome}', 'confirmed')`))
  .join(', ');

const HEAD_TIME = `(${progressWatermarkExpression('c.head_time')})`;
const FINAL_TIME = `(${progressWatermarkExpression('c.final_time')})`;

function noOtherNetworkAwaitedSql(time: string): string {
  return `NOT EXISTS (SELECT 1 FROM payments.selections s JOIN payments.chain_cursors c ON c.network = s.network
            WHERE s.payment_request_id = r.id AND s.network <> r.network
              AND (r.counts_until < ${time} - interval '60 seconds') IS NOT TRUE)`;
}

const NOTHING_AWAITS_CROSS_CHECK = `NOT EXISTS (SELECT 1 FROM payments.transfers a
        WHERE a.payment_request_id = r.id AND a.counted AND a.awaits_cross_check)`;
/** Uses the cursor, because a missing mark `final` must not hide a breach. */
const ALL_COUNTED_IS_FINAL = `NOT EXISTS (SELECT 1 FROM payments.transfers t JOIN payments.chain_cursors c USING (network)
        WHERE t.payment_request_id = r.id AND t.counted AND (t.awaits_cross_check OR ${IS_FINAL} IS NOT TRUE))`;

/** Marking may take several iterations. */
const ALL_COUNTED_IS_MARKED_FINAL = `NOT EXISTS (SELECT 1 FROM payments.transfers a JOIN payments.chain_cursors k USING (network)
        WHERE a.payment_request_id = r.id AND a.counted AND NOT a.final AND a.block_number <= k.final_number)`;

export const paymentsInvariants: Invariant[] = [
  {
    name: 'received-amount-is-what-counts',
    promise:
      'The amount received is the sum of the counted transfers in the displayed asset, including those reversed ' +
      'after they were credited. While the request is open, a sum below the minimum of the asset counts as zero.',
    breaches: `SELECT r.id, r.received_amount, COALESCE(sum(t.amount), 0) AS counted
      FROM payments.payment_requests r
      LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id
      LEFT JOIN payments.transfers t ON t.payment_request_id = r.id
        AND (${IS_PART_OF_OUTCOME} OR (t.reversed_at IS NOT NULL AND t.deposited_at IS NULL))
      WHERE NOT EXISTS (SELECT 1 FROM payments.parked_requests p WHERE p.payment_request_id = r.id)
      GROUP BY r.id, s.minimum_amount, s.amount
      HAVING r.received_amount <> CASE WHEN r.status IN ${WATCHED_STATUSES_SQL} AND sum(t.amount) < ${MINIMUM_PAYMENT} THEN 0
        ELSE COALESCE(sum(t.amount), 0) END`,
  },
  {
    name: 'payments-are-seen',
    promise:
      'No request is still `created` if the sum received in one of its assets has reached the minimum of that ' +
      'asset.',
    breaches: `SELECT r.id, u.unique_asset_id, u.seen_amount
      FROM payments.payment_requests r JOIN payments.received_sums u ON u.payment_request_id = r.id
      LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = u.unique_asset_id
      WHERE r.status = 'created' AND r.sums_at_version = r.version AND u.seen_amount >= ${MINIMUM_PAYMENT}`,
  },
  {
    name: 'no-request-is-parked',
    promise: 'No payment request is parked: each could be evaluated.',
    breaches: `SELECT payment_request_id, reason, parked_at FROM payments.parked_requests`,
  },
  {
    name: 'sums-are-what-was-sent',
    promise:
      'For each selection of an open request, the stored sums are those of its counted transfers, seen and final.',
    breaches: `WITH open AS (
        SELECT id FROM payments.payment_requests r WHERE r.status IN ${WATCHED_STATUSES_SQL} AND r.sums_at_version = r.version),
      stored AS (
        SELECT s.* FROM payments.received_sums s JOIN open ON open.id = s.payment_request_id),
      counted AS (
        SELECT t.payment_request_id, t.unique_asset_id, sum(t.amount) AS seen,
          COALESCE(sum(t.amount) FILTER (WHERE t.block_number <= s.final_to), 0) AS final,
          bool_and(t.final OR t.block_number > s.final_to) AS all_final
        FROM payments.transfers t JOIN open ON open.id = t.payment_request_id
        LEFT JOIN stored s USING (payment_request_id, unique_asset_id)
        WHERE t.counted GROUP BY 1, 2)
      SELECT payment_request_id, unique_asset_id, s.seen_amount, s.final_amount, c.seen, c.final
      FROM stored s FULL JOIN counted c USING (payment_request_id, unique_asset_id)
      WHERE (COALESCE(s.seen_amount, 0), COALESCE(s.final_amount, 0)) <> (COALESCE(c.seen, 0), COALESCE(c.final, 0))
        OR NOT COALESCE(c.all_final, true)`,
  },
  {
    name: 'counted-transfers-are-in-time-and-in-the-asset',
    promise:
      'A counted transfer is canonical, in time, in a requested asset, and sent to an address of its request.',
    breaches: `SELECT t.id, t.payment_request_id
      FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
      WHERE t.counted AND NOT (t.canonical AND ${RECEIVED_TIME} <= r.counts_until
        AND (t.unique_asset_id = r.unique_asset_id OR EXISTS (SELECT 1 FROM payments.selections s
          WHERE s.payment_request_id = r.id AND s.unique_asset_id = t.unique_asset_id))
        AND EXISTS (SELECT 1 FROM payments.deposit_addresses a
          WHERE a.network = t.network AND a.address = t.to_address AND a.tag = t.to_tag AND a.payment_request_id = r.id))`,
  },
  {
    name: 'outcomes-rest-on-final-transfers',
    promise:
      'Each credited transfer is canonical and final, or reversed. The final status matches the sum of the credited ' +
      'transfers, and transfers without credit soon stop counting.',
    breaches: `SELECT r.id, r.status FROM payments.payment_requests r
      WHERE r.status IN ${ENDED_STATUSES_SQL} AND NOT r.uncounting
          AND EXISTS (SELECT 1 FROM payments.transfers t
            WHERE t.payment_request_id = r.id AND t.counted AND NOT ${IS_RECEIVED})
        OR r.status IN ${OUTCOME_STATUSES_SQL} AND (
        r.received_amount = 0
        OR EXISTS (SELECT 1 FROM payments.transfers t
          WHERE t.payment_request_id = r.id AND ${IS_RECEIVED} AND NOT (t.canonical AND t.final))
        OR r.status IS DISTINCT FROM CASE WHEN r.received_amount = r.amount THEN 'completed'
          WHEN r.received_amount > r.amount THEN 'overpaid' ELSE 'underpaid' END)`,
  },
  {
    name: 'accepted-underpayments-are-tolerated',
    promise: 'An underpaid request is accepted if and only if the missing amount is within its tolerance.',
    breaches: `SELECT r.id, r.amount - r.received_amount AS missing, r.underpayment_tolerance FROM payments.payment_requests r
      LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id
      WHERE r.status = 'underpaid' AND r.underpayment_accepted IS DISTINCT FROM COALESCE(
        (r.amount - r.received_amount) * 10000 <= (r.underpayment_tolerance ->> 'basisPoints')::numeric * r.amount
        AND (r.amount - r.received_amount) * COALESCE(s.rate, '1')::numeric
          <= (r.underpayment_tolerance ->> 'atMost')::numeric * ('1e' || r.decimals)::numeric, false)`,
  },
  {
    name: 'state-changes-are-edges',
    promise:
      'Every recorded state change is an allowed transition, and the history ends with the current status.',
    breaches: `WITH steps AS (
        SELECT payment_request_id, step, status, at,
          lag(status) OVER w AS previous, lag(at) OVER w AS previous_at, lag(step) OVER w AS previous_step
        FROM payments.status_history WINDOW w AS (PARTITION BY payment_request_id ORDER BY step))
      SELECT payment_request_id, previous, status FROM steps
      WHERE (previous IS NULL AND (step <> 1 OR status NOT IN ${PAYMENT_UNSEEN_STATUSES_SQL}))
        OR (previous IS NOT NULL AND ((previous, status) NOT IN (${ALLOWED_TRANSITIONS}) OR at < previous_at OR step <> previous_step + 1))
      UNION ALL
      SELECT r.id, NULL, r.status FROM payments.payment_requests r
      WHERE r.status IS DISTINCT FROM (SELECT h.status FROM payments.status_history h
        WHERE h.payment_request_id = r.id AND h.status <> 'confirmed' ORDER BY h.step DESC LIMIT 1)`,
  },
  {
    name: 'one-event-for-each-step',
    promise: 'Every status change of a request has exactly one event.',
    breaches: `SELECT h.payment_request_id, h.status, count(e.id) AS events
      FROM payments.status_history h LEFT JOIN platform.events e ON e.aggregate_id = h.payment_request_id
        AND CASE WHEN h.status = 'confirmed' THEN e.type = 'payment_request.confirmed'
          ELSE e.type = 'payment_request.status_changed' AND e.data ->> 'status' = h.status END
      GROUP BY h.payment_request_id, h.step, h.status HAVING count(e.id) <> 1`,
  },
  {
    name: 'parents-share-their-tenant',
    promise:
      'Addresses, transfers and settlement holds belong to the organization and account of their request.',
    breaches: `SELECT c.id FROM (
        SELECT payment_request_id AS id, organization_id, account_id FROM payments.deposit_addresses
        UNION ALL SELECT payment_request_id, organization_id, account_id FROM payments.transfers
        UNION ALL SELECT payment_request_id, organization_id, account_id FROM payments.settlement_holds) c
      JOIN payments.payment_requests r USING (id)
      WHERE (r.organization_id, r.account_id) IS DISTINCT FROM (c.organization_id, c.account_id)`,
  },
  {
    name: 'blocks-link',
    promise: 'The stored blocks follow each other without gaps up to the cursor.',
    breaches: `WITH linked AS (
        SELECT network, number, parent_hash, lag(number) OVER w AS previous_number, lag(hash) OVER w AS previous_hash
        FROM payments.blocks WINDOW w AS (PARTITION BY network ORDER BY number))
      SELECT network, number FROM linked
      WHERE previous_number IS NOT NULL AND (number <> previous_number + 1 OR parent_hash <> previous_hash)
      UNION ALL
      SELECT c.network, c.head_number FROM payments.chain_cursors c
      WHERE NOT EXISTS (SELECT 1 FROM payments.blocks b
          WHERE b.network = c.network AND b.number = c.head_number AND b.hash = c.head_hash)
        OR EXISTS (SELECT 1 FROM payments.blocks b WHERE b.network = c.network AND b.number > c.head_number)`,
  },
  {
    name: 'transfers-stand-in-read-blocks',
    promise: 'A canonical transfer is in the block that was read at its height.',
    breaches: `SELECT t.id, t.block_number FROM payments.transfers t
      JOIN payments.blocks b ON b.network = t.network AND b.number = t.block_number
      WHERE t.canonical AND b.hash <> t.block_hash`,
  },
  {
    name: 'finality-follows-the-cursor',
    promise:
      'A canonical transfer is marked final if and only if its block is final and no confirmation read of it is ' +
      'pending.',
    breaches: `SELECT t.id, t.block_number FROM payments.transfers t JOIN payments.chain_cursors c USING (network)
      WHERE t.canonical AND t.final
        IS DISTINCT FROM (COALESCE(${IS_FINAL}, false) AND NOT t.awaits_cross_check)`,
  },
  {
    name: 'watchers-keep-reading',
    promise:
      'No network has stopped being read while open requests wait until it has been read past their deadline.',
    breaches: `SELECT c.network, c.head_number, c.moved_at FROM payments.chain_cursors c
      WHERE c.moved_at < clock_timestamp() - interval '60 seconds'
        AND EXISTS (SELECT 1 FROM payments.payment_requests r WHERE (r.network = c.network
            OR EXISTS (SELECT 1 FROM payments.selections s
              WHERE s.payment_request_id = r.id AND s.network = c.network AND c.head_time <= r.counts_until))
          AND r.status IN ${WATCHED_STATUSES_SQL} AND r.counts_until < platform.now() - interval '60 seconds')`,
  },
  {
    name: 'what-is-paid-is-decided',
    promise:
      'No request stays open after its full amount is final, unless part of the amount awaits a cross-check.',
    breaches: `SELECT r.id, r.status FROM payments.payment_requests r
      JOIN payments.transfers t ON t.payment_request_id = r.id AND t.counted AND t.final
      LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = t.unique_asset_id
      WHERE r.status IN ${WATCHED_STATUSES_SQL} AND ${NOTHING_AWAITS_CROSS_CHECK} AND ${ALL_COUNTED_IS_MARKED_FINAL}
      GROUP BY r.id, t.unique_asset_id, s.amount HAVING sum(t.amount) >= COALESCE(s.amount, r.amount)`,
  },
  {
    name: 'nothing-stays-past-its-deadline',
    promise:
      'No request stays open after all of its networks have been read past its deadline, unless part of its amount ' +
      'is not final.',
    breaches: `SELECT r.id, r.status FROM payments.payment_requests r JOIN payments.chain_cursors c USING (network)
      WHERE (r.status = 'created' AND r.counts_until < ${HEAD_TIME} - interval '60 seconds'
          AND ${noOtherNetworkAwaitedSql(HEAD_TIME)})
        OR (r.status = 'processing' AND r.counts_until < ${FINAL_TIME} - interval '60 seconds'
          AND ${ALL_COUNTED_IS_FINAL} AND ${noOtherNetworkAwaitedSql(FINAL_TIME)})`,
  },
  ...postingInvariants,
];
