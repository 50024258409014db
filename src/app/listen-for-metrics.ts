import type { INestApplicationContext } from '@nestjs/common';
import type { JsonLogger } from '#shared/platform/logging/logger.js';
import { MetricsListener } from '#shared/platform/metrics/metrics-listener.js';
import type { ProcessSettings } from './settings/process-settings.js';

/** Serves metrics where a port is set for them. @throws where the port is taken */
export async function listenForMetrics(
  app: INestApplicationContext,
  { metrics }: ProcessSettings,
  logger: JsonLogger,
): Promise<void> {
  if (metrics === undefined) return;
  await app.get(MetricsListener, { strict: false }).listen(metrics);
  logger.log(`Metrics are at http://${metrics.host}:${metrics.port}/metrics.`, 'metrics');
}
