SET LOCAL lock_timeout = '3s';

-- One subscriber records merchant events and queues their deliveries. It starts at the earlier of the two former checkpoints, because
-- both tables ignore an event that they already have. Running workers of the previous release find no checkpoint and stop reading.
WITH former AS (
  DELETE FROM platform.subscriber_positions WHERE subscriber IN ('merchant_events', 'webhooks')
  RETURNING transaction_id, position
)
INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position)
SELECT 'webhook_events', transaction_id, position FROM former ORDER BY transaction_id, position LIMIT 1;

WITH former AS (
  DELETE FROM platform.parked_events WHERE subscriber IN ('merchant_events', 'webhooks')
  RETURNING event_id, aggregate_id, reason, parked_at
)
INSERT INTO platform.parked_events (subscriber, event_id, aggregate_id, reason, parked_at)
SELECT DISTINCT ON (event_id) 'webhook_events', event_id, aggregate_id, reason, parked_at FROM former
ORDER BY event_id, parked_at;
