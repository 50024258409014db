import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { Database } from '../database/database.js';
import { Metrics } from './metrics.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** Several or frequent scrapers load the database no more than one. */
const SCRAPE_CACHE_MS = 1_000;
/** Shorter than Prometheus' default timeout of ten seconds, after which a scrape is lost. */
const SCRAPE_TIMEOUT_MS = 3_000;

export interface DatabaseMetricsQuery {
  /** Without parameters; the cost must not grow with the amount of data. */
  readonly sql: string;
  /** Gauges that `apply` sets. */
  readonly gauges: readonly Gauge<string>[];
  apply(rows: readonly Record<string, unknown>[]): void;
}

/** Other metrics are exported even if the database does not answer. */
@Injectable()
export class DatabaseMetricsCollector {
  private readonly log = new OperatorLogWriter('metrics', PLATFORM_LOG_EVENTS);
  private readonly parts: DatabaseMetricsQuery[] = [];
  private readonly up: Gauge;
  private asking: Promise<void> | null = null;
  private askedAt = -Infinity;
  private failed = false;

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {
    this.up = metrics.gauge({
      name: 'database_up',
      help: '1 if the database answered the queries of this scrape, otherwise 0.',
    });
    metrics.gauge(
      {
        name: 'database_writing_stopped',
        help: '1 if this process has stopped writing because the database lost committed data, otherwise 0.',
      },
      (gauge) => gauge.set(database.identity.stopReason === null ? 0 : 1),
    );
    metrics.gauge(
      { name: 'database_timeline', help: 'Timeline of the database server that this process writes to.' },
      (gauge) => gauge.set(database.identity.currentServer().timeline),
    );
    metrics.gauge(
      {
        name: 'database_pool_connections',
        help: 'Database connections of this process, by state: busy or idle.',
        labels: ['state'],
      },
      (gauge) => {
        const { total, idle } = database.connectionCounts();
        gauge.set({ state: 'busy' }, total - idle);
        gauge.set({ state: 'idle' }, idle);
      },
    );
    metrics.gauge(
      {
        name: 'database_pool_max_connections',
        help: 'Maximum number of database connections of this process.',
      },
      (gauge) => gauge.set(database.connectionCounts().most),
    );
    metrics.gauge(
      {
        name: 'database_pool_waiting',
        help: 'Statements of this process that are waiting for a database connection.',
      },
      (gauge) => gauge.set(database.connectionCounts().waiting),
    );
  }

  addQuery(part: DatabaseMetricsQuery): void {
    this.parts.push(part);
  }

  /** Updates the gauges unless their values are recent. */
  async refresh(): Promise<void> {
    if (performance.now() - this.askedAt >= SCRAPE_CACHE_MS) this.asking ??= this.queryDatabase();
    const { asking } = this;
    if (asking === null) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, SCRAPE_TIMEOUT_MS, 'late')));
    const outcome = await Promise.race([asking, late]);
    clearTimeout(timer);
    if (outcome === 'late') this.fail(new Error(`No answer within ${SCRAPE_TIMEOUT_MS / 1_000} seconds.`));
  }

  private async queryDatabase(): Promise<void> {
    try {
      const [row] = await this.database.query<Record<string, Record<string, unknown>[]>>(
        this.buildStatement(),
      );
      this.clearGauges();
      this.parts.forEach((part, place) => part.apply(row![`part${place}`]!));
      this.up.set(1);
      if (this.failed) this.log.write('metrics.database_recovered');
      this.failed = false;
    } catch (error) {
      this.fail(error);
    } finally {
      this.askedAt = performance.now();
      this.asking = null;
    }
  }

  private buildStatement(): string {
    const columns = this.parts.map(
      ({ sql }, place) => `(SELECT COALESCE(json_agg(part), '[]') FROM (${sql}) AS part) AS part_${place}`,
    );
    return `SELECT ${['1 AS asked', ...columns].join(',\n')}`;
  }

  private fail(error: unknown): void {
    this.clearGauges();
    this.up.set(0);
    if (!this.failed) this.log.write('metrics.database_failed', { reason: String(error) });
    this.failed = true;
  }

  private clearGauges(): void {
    for (const gauge of this.parts.flatMap(({ gauges }) => gauges)) this.metrics.clearGauge(gauge);
  }
}
