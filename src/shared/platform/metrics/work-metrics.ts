import { Injectable } from '@nestjs/common';
import { DatabaseMetricsCollector } from './database-metrics-collector.js';
import { Metrics } from './metrics.js';
import { BackgroundLoop } from '../background/background-loop.js';

/** After an outage, counting all overdue jobs would take as long as running some. */
const MAX_COUNTED_JOBS = 10_000;

type OverdueJobsRow = Readonly<{ kind: string; due: number; age: number | null }>;

@Injectable()
export class ScheduledJobMetrics {
  private readonly known = new Set<string>();

  constructor(metrics: Metrics, scrape: DatabaseMetricsCollector) {
    const due = metrics.gauge({
      name: 'due_work',
      help: `Scheduled jobs that are due, by kind, counted up to ${MAX_COUNTED_JOBS}.`,
      labels: ['kind'],
    });
    const ages = metrics.gauge({
      name: 'due_work_oldest_age_seconds',
      help: 'Time since the oldest due job became due, or 0 if no job is due.',
      labels: ['kind'],
    });
    scrape.addQuery({
      // Finds each next kind by one index lookup. DISTINCT would read the complete index.
      sql: `WITH RECURSIVE kinds AS (
          (SELECT kind FROM platform.due_work ORDER BY kind LIMIT 1)
          UNION ALL
          SELECT (SELECT w.kind FROM platform.due_work w WHERE w.kind > kinds.kind ORDER BY w.kind LIMIT 1)
          FROM kinds WHERE kinds.kind IS NOT NULL
        )
        SELECT kind,
          (SELECT count(*) FROM (SELECT FROM platform.due_work w
             WHERE w.kind = kinds.kind AND w.due_at <= (SELECT platform.now()) LIMIT ${MAX_COUNTED_JOBS}) AS counted) AS due,
          (SELECT extract(epoch FROM platform.now() - min(w.due_at)) FROM platform.due_work w
           WHERE w.kind = kinds.kind) AS age
        FROM kinds WHERE kind IS NOT NULL`,
      gauges: [due, ages],
      apply: (rows) => {
        const found = new Map((rows as readonly OverdueJobsRow[]).map((row) => [row.kind, row]));
        for (const kind of found.keys()) this.known.add(kind);
        for (const kind of this.known) {
          due.set({ kind }, found.get(kind)?.due ?? 0);
          ages.set({ kind }, Math.max(0, found.get(kind)?.age ?? 0));
        }
      },
    });
  }
}

@Injectable()
export class BackgroundMetrics {
  constructor(metrics: Metrics) {
    metrics.gauge(
      {
        name: 'background_loop_failing_seconds',
        help: 'How long every cycle of a background loop of this process has failed, or 0 if the last cycle succeeded.',
        labels: ['loop'],
      },
      (gauge) => {
        metrics.clearGauge(gauge);
        for (const [loop, seconds] of BackgroundLoop.secondsFailingByLoop()) gauge.set({ loop }, seconds);
      },
    );
  }
}
