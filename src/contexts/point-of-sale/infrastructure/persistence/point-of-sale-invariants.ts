import type { Invariant } from '#shared/kernel/invariant.js';

export const pointOfSaleInvariants: Invariant[] = [
  {
    name: 'point-of-sale-account-is-its-organizations',
    promise: 'A point of sale and its account belong to the same organization.',
    breaches: `SELECT p.id AS point_of_sale_id, p.organization_id, p.account_id FROM point_of_sale.points_of_sale p
      LEFT JOIN identity.public_accounts a ON a.id = p.account_id
      WHERE a.organization_id IS DISTINCT FROM p.organization_id`,
  },
  {
    name: 'settlement-terms-account-is-its-organizations',
    promise: 'Settlement terms for an account belong to the organization of that account.',
    breaches: `SELECT t.id AS settlement_terms_id, t.organization_id, t.account_id FROM point_of_sale.settlement_terms t
      LEFT JOIN identity.public_accounts a ON a.id = t.account_id
      WHERE t.account_id IS NOT NULL AND a.organization_id IS DISTINCT FROM t.organization_id`,
  },
  {
    name: 'settlement-terms-are-versioned',
    promise:
      'Every change of settlement terms has increased the version by which cached points of sale are validated.',
    breaches: `SELECT t.organization_id, count(*) AS changes, max(v.version) AS version
      FROM point_of_sale.settlement_terms t
      LEFT JOIN point_of_sale.terms_versions v USING (organization_id)
      GROUP BY t.organization_id HAVING max(v.version) IS DISTINCT FROM count(*)`,
  },
];

export const settlementTermsAuditInvariants: Invariant[] = [
  {
    name: 'settlement-terms-are-as-audited',
    promise: 'The settlement terms are exactly those in the audit log. None was changed, added or removed.',
    breaches: `SELECT COALESCE(t.id, l.subject_id) AS settlement_terms_id
      FROM point_of_sale.settlement_terms t
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
        FROM identity.public_audit_log WHERE action LIKE 'settlement_terms.%' ORDER BY subject_id, position DESC) l
        ON l.subject_id = t.id
      WHERE (t.id, t.organization_id, t.account_id::text, t.network, t.settlement_address, t.fee_recipient,
          t.fee_basis_points)
        IS DISTINCT FROM (l.subject_id, l.organization_id, l.after ->> 'account_id', l.after ->> 'network',
          l.after ->> 'settlement_address', l.after ->> 'fee_recipient', (l.after ->> 'fee_basis_points')::integer)`,
  },
];
