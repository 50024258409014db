import type { Invariant } from '../../kernel/invariant.js';
import { SANDBOX_CLUSTER_NAME } from '../clock/sandbox-cluster.js';

export const platformInvariants: Invariant[] = [
  {
    name: 'clock-is-not-moved',
    promise: 'The service uses the unchanged clock of its database. Only a sandbox may move that clock.',
    breaches: `SELECT value AS moved_by FROM platform.clock_offset
      WHERE value <> interval '0' AND current_setting('cluster_name') <> '${SANDBOX_CLUSTER_NAME}'`,
  },
  {
    name: 'nothing-is-parked',
    promise: 'Every subscriber was able to apply every event that it has read.',
    breaches: `SELECT subscriber, event_id, aggregate_id, reason FROM platform.parked_events`,
  },
  {
    name: 'subscribers-keep-up',
    promise: 'No event waits for a subscriber for more than a minute.',
    holdsWithoutArchive: true,
    breaches: `SELECT p.subscriber, count(*) AS waiting FROM platform.subscriber_positions p
      JOIN platform.events e ON e.transaction_id >= p.transaction_id
        AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
      WHERE e.occurred_at < platform.now() - interval '60 seconds' AND p.moved_at < clock_timestamp() - interval '60 seconds'
      GROUP BY p.subscriber`,
  },
  {
    name: 'events-have-ids-of-their-own',
    promise: 'No two events in the log have the same id, even in different partitions.',
    holdsWithoutArchive: true,
    breaches: `SELECT id, count(*) AS events FROM platform.events GROUP BY id HAVING count(*) > 1`,
  },
  {
    name: 'parked-events-are-in-the-log',
    promise: 'Every dead-lettered event is in the event log.',
    holdsWithoutArchive: true,
    breaches: `SELECT p.subscriber, p.event_id FROM platform.parked_events p
      WHERE NOT EXISTS (SELECT FROM platform.events e WHERE e.id = p.event_id)`,
  },
  {
    name: 'event-log-is-readable',
    promise:
      'No event has a transaction id that this database has not reached. Restoring a dump can cause such events.',
    holdsWithoutArchive: true,
    breaches: `SELECT id, transaction_id FROM platform.events
      WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot()) LIMIT 1`,
  },
  {
    name: 'idempotency-keys-are-pruned',
    promise: 'No idempotency key is kept for more than an hour after its validity of 24 hours.',
    breaches: `SELECT credential_id, key, created_at FROM platform.idempotency_keys
      WHERE created_at < platform.now() - interval '25 hours'`,
  },
  {
    name: 'idempotency-keys-hold-no-secret',
    promise: 'No response stored for an idempotency key contains a secret or a link to claim a refund.',
    breaches: `SELECT credential_id, key, operation FROM platform.idempotency_keys 
      WHERE answer::jsonb ?| ARRAY['secret', 'claim_url']`,
  },
];
