-- Reads the table once, without holding writers up.
SET LOCAL lock_timeout = '3s';

ALTER TABLE subscriptions.subscriptions VALIDATE CONSTRAINT subscriptions_code_spelling;
