import { readFileSync } from 'node:fs';
import type { Metrics } from '#shared/platform/metrics/metrics.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Which process of which release answers a scrape. */
export class ProcessMetrics {
  constructor(metrics: Metrics, role: string) {
    const labels = ['role', 'version'] as const;
    metrics
      .gauge({ name: 'process_info', help: 'Role and release of this process; always 1.', labels })
      .set({ role, version }, 1);
  }
}
