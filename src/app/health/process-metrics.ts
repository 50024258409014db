import { readFileSync } from 'node:fs';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { Injectable } from '@nestjs/common';
import { Readiness } from './readiness.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export class ProcessMetrics {
  constructor(metrics: Metrics, role: string) {
    const labels = ['role', 'version'] as const;
    metrics
      .gauge({ name: 'process_info', help: 'Role and release of this process; always 1.', labels })
      .set({ role, version }, 1);
  }
}

const MAX_READINESS_AGE_MS = 5_000;

@Injectable()
export class ReadinessMetrics {
  constructor(metrics: Metrics, readiness: Readiness) {
    metrics.gauge({ name: 'ready', help: 'Whether GET /health/ready answers 200: 1, or 0.' }, async (gauge) =>
      gauge.set((await readiness.check(MAX_READINESS_AGE_MS)).status === 'not_ready' ? 0 : 1),
    );
  }
}
