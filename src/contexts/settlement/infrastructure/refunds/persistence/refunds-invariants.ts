import type { Invariant } from '#shared/kernel/invariant.js';
import { paidToAccountAddressSql } from './refund-limits.js';

const PAYOUT_SUMS = `SELECT float_id, holding,
    COALESCE(sum(amount) FILTER (WHERE status = 'processing'), 0) AS reserved,
    COALESCE(sum(amount) FILTER (WHERE status = 'completed' AND kind = 'refund'), 0) AS refunded,
    COALESCE(sum(amount) FILTER (WHERE status = 'completed' AND kind = 'withdrawal'), 0) AS withdrawn, 0 AS gas
  FROM settlement.refund_float_payouts GROUP BY float_id, holding
  UNION ALL
  SELECT float_id, 'native', COALESCE(sum(gas_reserved) FILTER (WHERE status = 'processing'), 0), 0, 0,
    COALESCE(sum(gas), 0)
  FROM settlement.refund_float_payouts GROUP BY float_id`;

/** According to the audit log. @param at SQL expression */
const basisAt = (at: string): string => `COALESCE((SELECT l.after ->> 'basis' FROM identity.public_audit_log l
  WHERE l.action = 'refund_basis.set' AND l.subject_id = r.organization_id AND l.at <= ${at}
  ORDER BY l.position DESC LIMIT 1), 'topped_up')`;

export const refundsInvariants: Invariant[] = [
  {
    name: 'refunds-stay-within-what-was-received',
    promise:
      'The pending and completed refunds of a payment request never exceed the amount received in the same asset.',
    breaches: `SELECT payment_request_id, unique_asset_id, s.received, s.refunded, r.amount
      FROM settlement.refunded_sums s
      FULL JOIN (SELECT payment_request_id, unique_asset_id, sum(amount) AS amount FROM settlement.refunds
        WHERE status <> 'failed' GROUP BY payment_request_id, unique_asset_id) r
        USING (payment_request_id, unique_asset_id)
      WHERE COALESCE(r.amount, 0) > COALESCE(s.received, 0) OR COALESCE(r.amount, 0) <> COALESCE(s.refunded, 0)`,
  },
  {
    name: 'refunds-share-their-tenant',
    promise: 'A refund, its refundable amount and its payout belong to the same organization and account.',
    breaches: `SELECT r.id FROM settlement.refunds r
      JOIN settlement.refunded_sums s USING (payment_request_id, unique_asset_id)
      LEFT JOIN settlement.refund_float_payouts p ON p.id = r.id
      LEFT JOIN settlement.refund_floats f ON f.id = p.float_id
      WHERE (r.organization_id, r.account_id) IS DISTINCT FROM (s.organization_id, s.account_id)
        OR p.id IS NOT NULL AND ((r.organization_id, r.account_id) IS DISTINCT FROM (p.organization_id, p.account_id)
          OR f.organization_id <> r.organization_id)`,
  },
  {
    name: 'approved-refunds-have-their-payout',
    promise:
      'Each approved refund from a float has exactly one payout, with its amount and address. No other refund has ' +
      'one.',
    breaches: `SELECT COALESCE(r.id, p.id) AS id
      FROM (SELECT * FROM settlement.refunds WHERE approved_at IS NOT NULL AND paid_by = 'float') r
      FULL JOIN (SELECT o.*, f.address FROM settlement.refund_float_payouts o
        JOIN settlement.refund_floats f ON f.id = o.float_id WHERE o.kind = 'refund') p ON p.id = r.id
      WHERE (r.id, r.status, r.amount, r.unique_asset_id, r.network, r.to_address, r.float_address)
        IS DISTINCT FROM (p.id, p.status, p.amount, p.unique_asset_id, p.network, p.to_address, p.address)
        OR r.status = 'completed' AND r.transaction_hash IS DISTINCT FROM p.transaction_hash`,
  },
  {
    name: 'float-payouts-add-up',
    promise:
      'The amounts that a refund float has reserved, refunded, withdrawn and spent on gas equal the sums of its payouts.',
    breaches: `SELECT float_id, holding, h.reserved, p.reserved AS reserved_by_payouts
      FROM settlement.refund_float_holdings h
      FULL JOIN (SELECT float_id, holding, sum(reserved) AS reserved, sum(refunded) AS refunded, sum(withdrawn) AS withdrawn,
        sum(gas) AS gas FROM (${PAYOUT_SUMS}) part GROUP BY float_id, holding) p USING (float_id, holding)
      WHERE (h.reserved, h.refunded, h.withdrawn, h.gas)
        IS DISTINCT FROM (COALESCE(p.reserved, 0), COALESCE(p.refunded, 0), COALESCE(p.withdrawn, 0), COALESCE(p.gas, 0))`,
  },
  {
    name: 'float-top-ups-add-up',
    promise: 'The topped-up amount of a refund float equals the sum of its recorded top-ups.',
    breaches: `SELECT float_id, holding, h.topped_up, t.amount FROM settlement.refund_float_holdings h
      FULL JOIN (SELECT float_id, holding, sum(amount) AS amount FROM settlement.refund_float_top_ups
        GROUP BY float_id, holding) t USING (float_id, holding)
      WHERE COALESCE(h.topped_up, 0) <> COALESCE(t.amount, 0)`,
  },
  {
    name: 'float-balances-are-explained',
    promise:
      'For every refund float and asset, the top-ups equal balance + refunded + withdrawn + gas at the last block ' +
      'read, and nothing is missing.',
    // An unfinished payout may or may not have left the float in the checked block.
    breaches: `SELECT h.float_id, h.holding, h.topped_up, h.balance, h.missing FROM settlement.refund_float_holdings h
      LEFT JOIN LATERAL (
        SELECT COALESCE(sum(p.amount) FILTER (WHERE p.status = 'completed' AND p.holding = h.holding), 0)
          + COALESCE(sum(p.gas) FILTER (WHERE h.holding = 'native'), 0) AS amount
        FROM settlement.refund_float_payouts p WHERE p.float_id = h.float_id AND p.block_number <= h.block_number) l ON true
      WHERE h.balance IS NOT NULL AND (h.missing > 0 OR h.topped_up <> h.balance + l.amount)
        AND NOT EXISTS (SELECT FROM settlement.refund_float_payouts p
          WHERE p.float_id = h.float_id AND h.holding IN (p.holding, 'native') AND (p.status = 'processing' AND p.call_to IS NOT NULL OR p.block_number > h.block_number
            OR p.ended_at > platform.now() - interval '60 seconds'))`,
  },
  {
    name: 'refund-events-tell-their-refund',
    promise:
      'Each refund has its events, and the last one reports its status, amount, address, transaction and payer.',
    breaches: `SELECT COALESCE(r.id, e.aggregate_id) AS id FROM settlement.refunds r
      FULL JOIN (SELECT DISTINCT ON (aggregate_id) aggregate_id, organization_id, account_id, data FROM platform.events
        WHERE type = 'refund.status_changed' ORDER BY aggregate_id, position DESC) e ON e.aggregate_id = r.id
      WHERE (r.id, r.organization_id, r.account_id, r.status, r.amount, r.unique_asset_id, r.payment_request_id::text,
          r.transaction_hash)
        IS DISTINCT FROM (e.aggregate_id, e.organization_id, e.account_id, e.data ->> 'status',
          (e.data ->> 'amount')::numeric, e.data ->> 'uniqueAssetId', e.data ->> 'paymentRequestId',
          e.data ->> 'transactionHash')
        OR r.status <> 'pending' AND r.to_address IS DISTINCT FROM e.data ->> 'to'
        OR r.paid_by <> COALESCE(e.data ->> 'paidBy', 'float')`,
  },
  {
    name: 'top-up-events-tell-their-top-up',
    promise: 'Each top-up in a configured asset has exactly one event, with its amount and owner.',
    breaches: `SELECT COALESCE(t.id, e.aggregate_id) AS id
      FROM (SELECT * FROM settlement.refund_float_top_ups WHERE unique_asset_id IS NOT NULL) t
      FULL JOIN (SELECT * FROM platform.events WHERE type = 'refund_float.topped_up') e ON e.aggregate_id = t.id
      WHERE (t.id, t.organization_id, t.account_id, t.amount, t.unique_asset_id)
        IS DISTINCT FROM (e.aggregate_id, e.organization_id, e.account_id, (e.data ->> 'amount')::numeric,
          e.data ->> 'uniqueAssetId')`,
  },
  {
    name: 'withdrawals-of-floats-are-as-audited',
    promise:
      'Each withdrawal from a refund float was ordered by an operator, with the amount and address in the audit ' +
      'log.',
    breaches: `SELECT COALESCE(p.id, l.subject_id) AS id
      FROM (SELECT * FROM settlement.refund_float_payouts WHERE kind = 'withdrawal') p
      FULL JOIN (SELECT subject_id, organization_id, after FROM identity.public_audit_log
        WHERE action = 'refund_float.withdrawn') l ON l.subject_id = p.id
      WHERE (p.id, p.organization_id, p.unique_asset_id, p.amount, p.to_address)
        IS DISTINCT FROM (l.subject_id, l.organization_id, l.after ->> 'unique_asset_id',
          (l.after ->> 'amount')::numeric, l.after ->> 'to')`,
  },
  {
    name: 'refund-limits-are-as-audited',
    promise: 'The refund limits are exactly those in the audit log.',
    breaches: `SELECT COALESCE(r.subject_id, l.subject_id) AS id FROM settlement.refund_limits r
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after FROM identity.public_audit_log
        WHERE action = 'refund_limit.set' ORDER BY subject_id, position DESC) l ON l.subject_id = r.subject_id
      WHERE (r.subject_id, r.organization_id, r.account_id::text, r.unique_asset_id, r.per_day, r.automatic_below)
        IS DISTINCT FROM (l.subject_id, l.organization_id, l.after ->> 'account_id', l.after ->> 'unique_asset_id',
          (l.after ->> 'per_day')::numeric, (l.after ->> 'automatic_below')::numeric)`,
  },
  {
    name: 'refunds-stay-within-allotments',
    promise:
      'The used part of an account’s allotment equals its refunds from the allotment, which never exceed the allotted amount.',
    breaches: `SELECT account_id, unique_asset_id, a.allotted, a.used, p.amount FROM settlement.refund_allotments a
      FULL JOIN (SELECT organization_id, account_id, unique_asset_id, sum(amount) AS amount
        FROM settlement.refund_float_payouts WHERE from_allotment AND status <> 'failed'
        GROUP BY organization_id, account_id, unique_asset_id) p USING (organization_id, account_id, unique_asset_id)
      WHERE COALESCE(p.amount, 0) <> COALESCE(a.used, 0) OR COALESCE(p.amount, 0) > COALESCE(a.allotted, 0)`,
  },
  {
    name: 'refunds-are-taken-from-allotments',
    promise:
      'A refund of a payment to an account’s own settlement address is deducted from the account’s allotment, ' +
      'unless the organization’s refund basis was `received`.',
    // An approval reads the basis before it commits, hence the minute of tolerance. Adopted payouts had already left.
    breaches: `SELECT r.id FROM settlement.refund_float_payouts p JOIN settlement.refunds r ON r.id = p.id
      WHERE NOT p.from_allotment AND 'received' NOT IN
          (${basisAt('p.created_at')}, ${basisAt(`p.created_at - interval '1 minute'`)})
        AND NOT EXISTS (SELECT FROM networks.public_sendings s WHERE s.id = COALESCE(p.sending_id, p.id) AND s.adopted)
        AND ${paidToAccountAddressSql('r.payment_request_id', 'r.network')}`,
  },
  {
    name: 'refund-allotments-are-as-audited',
    promise: 'Each allotment of a float to an account matches its last audit entry.',
    breaches: `SELECT COALESCE(a.subject_id, l.subject_id) AS id FROM settlement.refund_allotments a
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after FROM identity.public_audit_log
        WHERE action = 'refund_float.allotted' ORDER BY subject_id, position DESC) l ON l.subject_id = a.subject_id
      WHERE (a.subject_id, a.organization_id, a.account_id::text, a.unique_asset_id, a.allotted)
        IS DISTINCT FROM (l.subject_id, l.organization_id, l.after ->> 'account_id', l.after ->> 'unique_asset_id',
          (l.after ->> 'allotted')::numeric)`,
  },
  {
    name: 'refund-bases-are-as-audited',
    promise: 'The refund basis of each organization matches its last audit entry.',
    breaches: `SELECT COALESCE(b.organization_id, l.subject_id) AS id FROM settlement.refund_bases b
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, after FROM identity.public_audit_log
        WHERE action = 'refund_basis.set' ORDER BY subject_id, position DESC) l ON l.subject_id = b.organization_id
      WHERE b.basis IS DISTINCT FROM l.after ->> 'basis'`,
  },
];
