-- A subscription whose step fails waits by itself: the others that are due go on.
SET LOCAL lock_timeout = '3s';

-- Until when it is left out; null of one whose steps never failed. `next_step_at` says when it is due all the same.
ALTER TABLE subscriptions.subscriptions ADD COLUMN parked_until timestamptz;
