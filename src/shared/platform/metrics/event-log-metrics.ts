import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { DatabaseMetricsCollector } from './database-metrics-collector.js';
import { Metrics } from './metrics.js';

/** Dead-lettered events are counted up to this number, to bound the cost of the query. */
const MAX_COUNTED_EVENTS = 1_000;

type SubscriberLagRow = Readonly<{
  subscriber: string;
  position: number;
  lag: number | null;
  parked: number;
  newest: number | null;
  ahead: number;
}>;

@Injectable()
export class EventLogMetrics {
  constructor(metrics: Metrics, scrape: DatabaseMetricsCollector) {
    const newest = metrics.gauge({
      name: 'event_log_position',
      help: 'Position of the newest event. Positions have gaps, and concurrent commits can assign them out of order.',
    });
    const ahead = metrics.gauge({
      name: 'event_partitions_ahead',
      help: 'Event log partitions after the current one. If 0, the current partition keeps growing.',
    });
    const positions = ofSubscriber(
      'event_subscriber_position',
      'Position of the last event that the subscriber applied.',
    );
    const lags = ofSubscriber(
      'event_subscriber_lag_seconds',
      'Age of the oldest event that the subscriber has not read, or 0 if it has read all events.',
    );
    const parked = ofSubscriber(
      'event_subscriber_parked_events',
      `Events that the subscriber could not apply and that an operator must retry, counted up to ${MAX_COUNTED_EVENTS}.`,
    );
    scrape.addQuery({
      sql: `SELECT p.subscriber, p.position,
          (SELECT extract(epoch FROM platform.now() - e.occurred_at) FROM platform.events e
           WHERE e.transaction_id >= p.transaction_id
             AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
           ORDER BY e.transaction_id, e.position LIMIT 1) AS lag,
          (SELECT count(*) FROM (SELECT FROM platform.parked_events k WHERE k.subscriber = p.subscriber
             LIMIT ${MAX_COUNTED_EVENTS}) AS counted) AS parked,
          (SELECT position FROM platform.events ORDER BY transaction_id DESC, position DESC LIMIT 1) AS newest,
          (SELECT count(*) FROM platform.event_partitions
           WHERE from_transaction > pg_snapshot_xmax(pg_current_snapshot())) AS ahead
        FROM platform.subscriber_positions p`,
      gauges: [newest, ahead, positions, lags, parked],
      apply(rows) {
        for (const row of rows as readonly SubscriberLagRow[]) {
          const { subscriber } = row;
          positions.set({ subscriber }, row.position);
          lags.set({ subscriber }, Math.max(0, row.lag ?? 0));
          parked.set({ subscriber }, row.parked);
          newest.set(row.newest ?? 0);
          ahead.set(row.ahead);
        }
      },
    });

    function ofSubscriber(name: string, help: string): Gauge<'subscriber'> {
      return metrics.gauge({ name, help, labels: ['subscriber'] });
    }
  }
}
