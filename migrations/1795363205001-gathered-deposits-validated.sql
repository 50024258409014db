SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.transfers
  VALIDATE CONSTRAINT transfers_gathered_are_deposits,
  VALIDATE CONSTRAINT transfers_gathered_have_a_day;
