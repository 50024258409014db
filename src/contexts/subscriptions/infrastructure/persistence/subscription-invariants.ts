import type { Invariant } from '#shared/kernel/invariant.js';
import { UNPAID_CHARGES_TO_REVOKE } from '../../domain/past-due-rule.js';
import { SUBSCRIPTION_TRANSITIONS } from '../../domain/subscription-snapshot.js';
import {
  dueDateSql,
  HAS_REQUEST_IN_FLIGHT,
  JOIN_LAST_CHARGE,
  CHARGE_ATTEMPTS_SQL,
  hasUnpaidChargesInARowSql,
} from './due-dates.sql.js';

const ALLOWED_TRANSITIONS = Object.entries(SUBSCRIPTION_TRANSITIONS)
  .flatMap(([from, tos]) => tos.map((to) => `('${from}', '${to}')`))
  .join(', ');

const PUBLISHED_EVENTS = `(SELECT *, row_number() OVER (PARTITION BY aggregate_id ORDER BY transaction_id, position) AS step
  FROM platform.events WHERE type = 'subscription.status_changed') e`;

const IS_CHARGING = `s.status IN ('active', 'past_due')`;

/** Repeats the rule of past-due-rule.ts. */
const IS_PAST_DUE = `COALESCE((SELECT j.status <> 'paid' FROM subscriptions.charges j
  WHERE j.subscription_id = s.id AND (j.status = 'paid' OR j.missed_at IS NOT NULL)
  ORDER BY j.number DESC LIMIT 1), false)`;

export const subscriptionInvariants: Invariant[] = [
  {
    name: 'subscription-due-dates-are-of-the-calendar',
    promise:
      'The first due date is the end of the trial, or the acceptance if there is no trial. The next due date ' +
      'follows the last charge in the calendar and is before the end.',
    breaches: `SELECT s.id, s.next_number, s.next_charge_at FROM subscriptions.subscriptions s ${JOIN_LAST_CHARGE}
      WHERE s.first_due_at IS DISTINCT FROM
          CASE WHEN s.accepted_at IS NOT NULL THEN GREATEST(s.accepted_at, s.trial_until) END
        OR s.status = 'pending' AND (s.next_number, s.next_charge_at)
          IS DISTINCT FROM (CASE WHEN s.trial_until IS NOT NULL THEN 0 END, s.trial_until)
        OR ${IS_CHARGING} AND s.next_number IS NOT NULL AND (s.next_number, s.next_charge_at)
          IS DISTINCT FROM (COALESCE(c.number + 1, 0), ${dueDateSql('s.next_number')})
        OR ${IS_CHARGING} AND s.next_number IS NULL
          AND (s.ends_at IS NULL OR ${dueDateSql('COALESCE(c.number + 1, 0)')} < s.ends_at)`,
  },
  {
    name: 'subscriptions-know-their-next-step',
    promise:
      'The next step of a subscription is scheduled at the earliest of the end of its offer, its next due date, its ' +
      'next retry and its end.',
    breaches: `SELECT s.id, s.next_step_at FROM subscriptions.subscriptions s ${JOIN_LAST_CHARGE}
      CROSS JOIN LATERAL (SELECT c.status IS NOT DISTINCT FROM 'open' AS is_payable, ${HAS_REQUEST_IN_FLIGHT} AS is_asked) x
      WHERE s.next_step_at IS DISTINCT FROM CASE
        WHEN s.status = 'pending' THEN s.offered_until
        WHEN ${IS_CHARGING} THEN LEAST(s.next_charge_at,
          CASE WHEN x.is_payable AND NOT x.is_asked THEN (SELECT at FROM ${CHARGE_ATTEMPTS_SQL} t WHERE t.attempt = c.next_try) END,
          CASE WHEN s.next_charge_at IS NULL AND NOT (x.is_payable AND x.is_asked) THEN CASE
            WHEN x.is_payable THEN c.closes_at
            WHEN s.status = 'active' AND NOT EXISTS (SELECT FROM subscriptions.charges o
              WHERE o.subscription_id = s.id AND o.status = 'open') THEN s.ends_at END END) END`,
  },
  {
    name: 'subscriptions-move-in-time',
    promise: 'Each scheduled step of a subscription runs within 60 seconds of its due time.',
    breaches: `SELECT id, status, next_step_at FROM subscriptions.subscriptions
      WHERE next_step_at < platform.now() - interval '60 seconds'`,
  },
  {
    name: 'subscription-history-follows-edges',
    promise:
      'The history of a subscription begins with its offer, follows the allowed transitions, and ends with its ' +
      'status.',
    breaches: `SELECT s.id, h.step, h.status FROM subscriptions.subscriptions s LEFT JOIN (
        SELECT *, row_number() OVER steps AS place, lag(status) OVER steps AS before, lead(step) OVER steps IS NULL AS is_last
        FROM subscriptions.status_history WINDOW steps AS (PARTITION BY subscription_id ORDER BY step)
      ) h ON h.subscription_id = s.id
      WHERE h.step IS DISTINCT FROM h.place
        OR h.step IS NULL
        OR h.step = 1 AND (h.status, h.at) IS DISTINCT FROM ('pending', s.created_at)
        OR h.step > 1 AND (h.before, h.status) NOT IN (${ALLOWED_TRANSITIONS})
        OR h.is_last AND h.status <> s.status`,
  },
  {
    name: 'subscription-events-tell-their-history',
    promise:
      'Each step of a subscription has exactly one event, with its owner, point of sale, reference, asset, amount ' +
      'and interval.',
    breaches: `SELECT COALESCE(h.subscription_id, e.aggregate_id) AS id, COALESCE(h.step, e.step) AS step
      FROM (SELECT h.subscription_id, h.step, h.status, h.at, s.organization_id, s.account_id, s.point_of_sale_id, s.network,
          s.unique_asset_id, s.currency, s.decimals, s.amount, s."interval", s.reference_id
        FROM subscriptions.status_history h JOIN subscriptions.subscriptions s ON s.id = h.subscription_id) h
      FULL JOIN ${PUBLISHED_EVENTS} ON e.aggregate_id = h.subscription_id AND e.step = h.step
      WHERE (h.subscription_id, h.status, h.at, h.organization_id, h.account_id, h.point_of_sale_id::text, h.network,
          h.unique_asset_id, h.currency, h.decimals, h.amount::numeric, h."interval", h.reference_id)
        IS DISTINCT FROM (e.aggregate_id, e.data ->> 'status', e.occurred_at, e.organization_id, e.account_id,
          e.data ->> 'pointOfSaleId', e.data ->> 'network', e.data ->> 'uniqueAssetId', e.data ->> 'currency',
          (e.data ->> 'decimals')::integer, (e.data ->> 'amount')::numeric, e.data ->> 'interval', e.data ->> 'referenceId')`,
  },
  {
    name: 'accepted-wallets-never-change',
    promise:
      'The wallet of a subscription belongs to its organization and is the one that accepted the subscription, as ' +
      'each later event reports.',
    breaches: `SELECT s.id, s.wallet_id FROM subscriptions.subscriptions s LEFT JOIN subscriptions.wallets w ON w.id = s.wallet_id
      WHERE s.wallet_id IS NOT NULL AND w.organization_id IS DISTINCT FROM s.organization_id
        OR EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = s.id AND e.type = 'subscription.status_changed'
          AND (e.data ->> 'status' <> 'pending' AND e.data ->> 'walletExternalId' IS DISTINCT FROM w.external_id))
        OR s.accepted_at IS DISTINCT FROM (SELECT min(h.at) FROM subscriptions.status_history h
          WHERE h.subscription_id = s.id AND h.status = 'active')`,
  },
  {
    name: 'past-due-subscriptions-owe',
    promise: 'A subscription is past due if and only if the last of its paid or missed charges was missed.',
    breaches: `SELECT s.id, s.status FROM subscriptions.subscriptions s
      WHERE ${IS_CHARGING} AND (s.status = 'past_due') <> ${IS_PAST_DUE} OR s.status = 'completed' AND ${IS_PAST_DUE}`,
  },
  {
    name: 'unpaid-charges-revoke',
    promise:
      `The service revokes a subscription if and only if ${UNPAID_CHARGES_TO_REVOKE} consecutive charges, or its last charge, ` +
      'stayed unpaid through all their tries.',
    breaches: `SELECT s.id, s.status FROM subscriptions.subscriptions s ${JOIN_LAST_CHARGE}
      WHERE s.status = 'past_due' AND ${hasUnpaidChargesInARowSql(`c.status <> 'paid' AND NOT ${HAS_REQUEST_IN_FLIGHT}`)}
        OR s.revoked_by = 'unpaid' AND NOT ${hasUnpaidChargesInARowSql('true')}
          AND NOT COALESCE(c.closes_at >= s.ends_at AND c.closes_at <= s.updated_at, false)`,
  },
];
