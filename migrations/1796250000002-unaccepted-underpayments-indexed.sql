SET LOCAL lock_timeout = '3s';

CREATE INDEX payment_requests_unaccepted ON payments.payment_requests (point_of_sale_id, created_at)
  WHERE status = 'underpaid' AND NOT underpayment_accepted AND accepted_by_merchant_at IS NULL;
