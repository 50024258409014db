import type { Invariant } from '#shared/kernel/invariant.js';

/** Lower bound of the cost: a rollup's data fee may exceed the reserved cost. */
const LOWEST_COST = 'LEAST(a.reserved_cost, COALESCE(a.gas_cost, a.reserved_cost))';
const WINDOW_OF_24_HOURS = `RANGE BETWEEN interval '86399.999999 seconds' PRECEDING AND CURRENT ROW`;

export const authorizationInvariants: Invariant[] = [
  {
    name: 'authorizations-are-sent-as-stored',
    promise:
      'Each outbound transaction of a payment by signature belongs to one authorization, is sent by the gas key to ' +
      'its token, and sends no native coin. Each sent authorization has its outbound transaction. A transaction ' +
      'adopted from the chain may have no authorization.',
    breaches: `SELECT COALESCE(a.id, s.id) AS id, a.state, s.state AS sending FROM payments.authorizations a
      FULL JOIN (SELECT * FROM networks.public_sendings WHERE purpose = 'authorized_transfer') s ON s.id = a.id
      WHERE NOT (a.id IS NULL AND s.adopted) AND CASE WHEN s.id IS NULL THEN a.sent_at IS NOT NULL
        ELSE a.sent_at IS NULL
          OR (a.network, a.token, 'gas', 0) IS DISTINCT FROM (s.network, s.recipient, s.key, s.value) END`,
  },
  {
    name: 'authorizations-cost-what-was-spent',
    promise:
      'The cost of a finished payment by signature is the gas of its finished outbound transaction, or zero if ' +
      'nothing was sent.',
    breaches: `SELECT a.id, a.gas_cost, s.state AS sending, s.gas_cost AS spent FROM payments.authorizations a
      LEFT JOIN networks.public_sendings s ON s.id = a.id
      WHERE a.state IN ('seen', 'failed') AND CASE
        WHEN s.id IS NULL OR s.state = 'foreign' THEN a.gas_cost <> 0
        WHEN s.state IN ('final', 'reverted', 'cancelled') THEN a.gas_cost <> COALESCE(s.gas_cost, a.reserved_cost)
        ELSE true END`,
  },
  {
    name: 'authorizations-pay-their-request',
    promise: 'Each payment by signature goes to a deposit address of its payment request and merchant.',
    breaches: `SELECT a.id, a.to_address FROM payments.authorizations a
      WHERE NOT EXISTS (SELECT FROM payments.known_addresses k
        WHERE (k.network, k.address, k.payment_request_id, k.organization_id, k.account_id)
          = (a.network, a.to_address, a.payment_request_id, a.organization_id, a.account_id))`,
  },
  {
    name: 'authorizations-carried-out-were-seen',
    promise: 'Each payment by signature that is marked as seen has a transfer that the watcher read.',
    breaches: `SELECT a.id, a.transaction_hash FROM payments.authorizations a
      WHERE a.state = 'seen' AND NOT EXISTS (SELECT FROM payments.transfers t
        WHERE t.payment_request_id = a.payment_request_id
          AND (t.network, t.transaction_hash, t.from_address, t.to_address, t.unique_asset_id, t.amount)
            = (a.network, a.transaction_hash, a.from_address, a.to_address, a.unique_asset_id, a.value))`,
  },
  {
    name: 'sponsored-sums-are-within-their-limits',
    promise:
      'The cost reserved for payments by signature never exceeded the limits in force: for one payment request, for ' +
      'one organization in 24 hours, and for a network in 24 hours.',
    breaches: `SELECT id, network, of_payment, of_organization, of_day FROM (
        SELECT a.id, a.network, a.limit_of_organization, a.limit_of_day,
          sum(${LOWEST_COST}) OVER request AS of_payment, max(a.limit_of_payment) OVER request AS limit_of_payment,
          sum(${LOWEST_COST}) OVER (PARTITION BY a.network, a.organization_id ORDER BY a.created_at ${WINDOW_OF_24_HOURS}) AS of_organization,
          sum(${LOWEST_COST}) OVER (PARTITION BY a.network ORDER BY a.created_at ${WINDOW_OF_24_HOURS}) AS of_day
        FROM payments.authorizations a WINDOW request AS (PARTITION BY a.network, a.payment_request_id)) sums
      WHERE of_payment > limit_of_payment OR of_organization > limit_of_organization OR of_day > limit_of_day`,
  },
];
