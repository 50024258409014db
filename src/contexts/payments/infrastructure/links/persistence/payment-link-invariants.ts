import type { Invariant } from '#shared/kernel/invariant.js';

export const paymentLinkInvariants: Invariant[] = [
  {
    name: 'payment-link-sessions-are-of-their-link',
    promise: 'Each checkout shown to a payer of a payment link was opened by that link.',
    breaches: `SELECT s.payment_link_id, s.payment_request_id, c.payment_link_id AS opened_by
      FROM payments.payment_link_sessions s JOIN payments.checkouts c USING (payment_request_id)
      WHERE c.payment_link_id IS DISTINCT FROM s.payment_link_id`,
  },
  {
    name: 'link-checkouts-are-of-the-links-merchant',
    promise:
      'A checkout opened by a payment link belongs to the link’s point of sale and requests its price.',
    breaches: `SELECT l.id, c.payment_request_id
      FROM payments.checkouts c JOIN payments.payment_links l ON l.id = c.payment_link_id
      JOIN payments.payment_requests r ON r.id = c.payment_request_id
      WHERE (r.organization_id, r.account_id, r.point_of_sale_id, c.amount, c.coin_code)
        IS DISTINCT FROM (l.organization_id, l.account_id, l.point_of_sale_id, l.amount, l.coin_code)`,
  },
];
