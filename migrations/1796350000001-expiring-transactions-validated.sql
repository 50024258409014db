-- Validation reads the whole table, so it is a separate migration. It blocks no writers.
SET LOCAL lock_timeout = '3s';

ALTER TABLE networks.sendings
  VALIDATE CONSTRAINT sendings_sender_spelling,
  VALIDATE CONSTRAINT sendings_recipient_spelling,
  VALIDATE CONSTRAINT sendings_used_by,
  VALIDATE CONSTRAINT sendings_signed_by_attempts,
  VALIDATE CONSTRAINT sendings_mined_whole;
ALTER TABLE networks.sending_attempts VALIDATE CONSTRAINT sending_attempts_hash_spelling;
ALTER TABLE settlement.failing_terms VALIDATE CONSTRAINT failing_terms_spelled;
ALTER TABLE settlement.refund_floats VALIDATE CONSTRAINT refund_floats_address_spelled;
ALTER TABLE settlement.refund_float_payouts VALIDATE CONSTRAINT refund_float_payouts_to_spelled;
