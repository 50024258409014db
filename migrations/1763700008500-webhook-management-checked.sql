SET LOCAL lock_timeout = '3s';

ALTER TABLE webhooks.deliveries
  VALIDATE CONSTRAINT deliveries_attempts_before_counts,
  VALIDATE CONSTRAINT deliveries_wait_for_deliveries,
  VALIDATE CONSTRAINT deliveries_only_pending_ones_wait;
