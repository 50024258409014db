import type { Invariant } from '#shared/kernel/invariant.js';

export const receiptInvariants: Invariant[] = [
  {
    name: 'receipts-are-of-final-payments',
    promise:
      'Each receipt belongs to a payment request of the same account that ended with money received before the ' +
      'receipt was created.',
    breaches: `SELECT p.code, p.payment_request_id FROM payments.receipts p
      LEFT JOIN payments.payment_requests r ON r.id = p.payment_request_id
      WHERE (r.organization_id, r.account_id, r.confirmed_at)
        IS DISTINCT FROM (p.organization_id, p.account_id, p.issued_at)`,
  },
  {
    name: 'receipt-mails-follow-their-receipt',
    promise: 'A receipt email is due or finished only if the receipt exists and belongs to the same account.',
    breaches: `SELECT m.payment_request_id, m.due_at, m.outcome FROM payments.payer_mails m
      LEFT JOIN payments.receipts p USING (payment_request_id)
      WHERE (m.due_at IS NOT NULL OR m.outcome IS NOT NULL)
        AND (p.organization_id, p.account_id) IS DISTINCT FROM (m.organization_id, m.account_id)`,
  },
];
