import type { MetricsAddress } from '#shared/platform/metrics/metrics-listener.js';
import type { SettingReader } from '#shared/platform/settings/setting-reader.js';

const LOOPBACK = '127.0.0.1';

/** Metrics tell how much is collected and where coin for gas is: nobody but this machine reads them unless that is asked for. */
export function readMetricsAddress(reader: SettingReader, httpPort: number): MetricsAddress | undefined {
  const host = reader.text('METRICS_HOST', LOOPBACK);
  if (reader.text('METRICS_PORT', '') === '') return undefined;
  const port = reader.integer('METRICS_PORT', { min: 1, max: 65_535, fallback: 1 });
  if (port === httpPort) reader.problem('METRICS_PORT must be another port than HTTP_PORT.');
  return { host, port };
}
