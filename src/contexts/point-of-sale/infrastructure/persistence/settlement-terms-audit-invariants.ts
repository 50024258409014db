import type { Invariant } from '#shared/kernel/invariant.js';

export const settlementTermsAuditInvariants: Invariant[] = [
  {
    name: 'settlement-terms-are-as-audited',
    promise:
      'Settlement terms are exactly those that the audit log says were set: none were changed, added or removed.',
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
