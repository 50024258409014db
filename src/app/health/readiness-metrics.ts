import { Injectable } from '@nestjs/common';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { Readiness } from './readiness.js';

/** A reading of this age, from the scrape itself, is new enough. */
const FRESH_MS = 5_000;

@Injectable()
export class ReadinessMetrics {
  constructor(metrics: Metrics, readiness: Readiness) {
    metrics.gauge({ name: 'ready', help: 'Whether GET /health/ready answers 200: 1, or 0.' }, async (gauge) =>
      gauge.set((await readiness.check(FRESH_MS)).status === 'not_ready' ? 0 : 1),
    );
  }
}
