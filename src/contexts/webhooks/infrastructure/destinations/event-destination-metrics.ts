import { Injectable } from '@nestjs/common';
import { DatabaseMetricsCollector } from '#shared/platform/metrics/database-metrics-collector.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';

type DestinationMetricsRow = Readonly<{
  name: string;
  number: number;
  lag: number | null;
  failure: string | null;
  failing: number | null;
}>;

@Injectable()
export class EventDestinationMetrics {
  constructor(metrics: Metrics, scrape: DatabaseMetricsCollector) {
    const positions = metrics.gauge({
      name: 'event_destination_position',
      help: 'Number of the newest event up to which the broker has acknowledged all events.',
      labels: ['destination'],
    });
    const lags = metrics.gauge({
      name: 'event_destination_lag_seconds',
      help: 'Age of the oldest event that is not published, or 0 if all events are published.',
      labels: ['destination'],
    });
    const failing = metrics.gauge({
      name: 'event_destination_failing_seconds',
      help: 'How long publishing has failed with this failure: unreachable, missing, too_large or refused.',
      labels: ['destination', 'failure'],
    });
    scrape.addQuery({
      sql: `SELECT d.name, d.number, d.failure,
          extract(epoch FROM clock_timestamp() - d.failing_since) AS failing,
          (SELECT extract(epoch FROM platform.now() - e.occurred_at) FROM webhooks.events e
           WHERE e.number > d.number ORDER BY e.number LIMIT 1) AS lag
        FROM webhooks.destinations d WHERE d.configured_at > clock_timestamp() - interval '5 minutes'`,
      gauges: [positions, lags, failing],
      apply(rows) {
        for (const {
          name: destination,
          number,
          lag,
          failure,
          failing: seconds,
        } of rows as readonly DestinationMetricsRow[]) {
          positions.set({ destination }, number);
          lags.set({ destination }, Math.max(0, lag ?? 0));
          if (failure !== null) failing.set({ destination, failure }, seconds ?? 0);
        }
      },
    });
  }
}
