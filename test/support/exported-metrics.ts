import { Test } from '@nestjs/testing';
import type { Registry } from 'prom-client';
import { composeService } from '#app/composition.js';
import { placeholderSettings } from '#app/settings/placeholder-settings.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';

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

/** A process of this role registers these, by its real modules, of which nothing is started. */
export async function metricsOfRole(role: 'api' | 'worker'): Promise<ExportedMetric[]> {
  const settings = placeholderSettings();
  const dataSource = createDataSource({
    databaseUrl: settings.process.databaseUrl,
    poolSize: 1,
    applicationName: 'metrics',
    onPoolError: () => undefined,
  });
  const module = await Test.createTestingModule({
    imports: [composeService(role, settings, dataSource)],
  }).compile();
  return registeredIn(module.get(Metrics, { strict: false }).registry);
}

export function registeredIn(registry: Registry): ExportedMetric[] {
  return (registry.getMetricsAsArray() as unknown as readonly Registered[]).map(
    ({ name, type, labelNames }) => ({ name, type, labels: labelNames }),
  );
}

/** The names under which a metric's samples are found, with the labels of each. */
export function namesOfSamples({
  name,
  type,
  labels,
}: ExportedMetric): [name: string, labels: readonly string[]][] {
  if (type === 'histogram')
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ];
  return [[name, labels]];
}
