import { Test } from '@nestjs/testing';
import { composeService } from '../../src/app/composition.js';
import { shapeSettings } from '../../src/app/shape-settings.js';
import { createDataSource } from '../../src/shared/platform/database/data-source.js';
import { Metrics } from '../../src/shared/platform/metrics/metrics.js';

export interface ExportedMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

/** prom-client keeps the names of labels in the metric. */
interface Registered {
  readonly name: string;
  readonly type: ExportedMetric['type'];
  readonly labelNames: readonly string[];
}

/** What a process of this role registers of its own, by its real modules, of which nothing is started. */
export async function metricsOfRole(role: 'api' | 'worker'): Promise<ExportedMetric[]> {
  const settings = shapeSettings();
  const dataSource = createDataSource({
    databaseUrl: settings.process.databaseUrl,
    poolSize: 1,
    applicationName: 'metrics',
    onPoolError: () => undefined,
  });
  const module = await Test.createTestingModule({
    imports: [composeService(role, settings, dataSource)],
  }).compile();
  const { registry } = module.get(Metrics, { strict: false });
  return (registry.getMetricsAsArray() as unknown as readonly Registered[]).map(
    ({ name, type, labelNames }) => ({ name, type, labels: labelNames }),
  );
}
