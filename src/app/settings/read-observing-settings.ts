import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { TracingSettings } from '#shared/platform/tracing/tracing.js';
import type { MetricsAddress } from '#shared/platform/metrics/metrics-listener.js';

const TRACE_SAMPLERS = ['parentbased_always_on', 'parentbased_traceidratio'] as const;
const OTLP_PROTOCOLS = ['http/json'] as const;

/** The exporter itself reads the other OTEL_EXPORTER_OTLP_… variables. */
export function readTracingSettings(reader: SettingReader, environment: string): TracingSettings | undefined {
  const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].map((name) =>
    reader.url(name, ['http', 'https'], ''),
  );
  const isOff =
    reader.flag('OTEL_SDK_DISABLED') ||
    reader.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp') === 'none';
  if (endpoints.every((endpoint) => endpoint === '') || isOff) return undefined;
  reader.choice('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/json');
  const sampler = reader.choice('OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, 'parentbased_always_on');
  const ratio = Number(reader.text('OTEL_TRACES_SAMPLER_ARG', '1'));
  if (!(ratio > 0 && ratio <= 1))
    reader.addProblem('OTEL_TRACES_SAMPLER_ARG must be a number above 0 and at most 1, such as 0.1.');
  return {
    serviceName: reader.text('OTEL_SERVICE_NAME', 'payment-collection'),
    environment,
    sentEveryMs: reader.integer('OTEL_BSP_SCHEDULE_DELAY', { min: 50, max: 60_000, fallback: 5_000 }),
    ratio: sampler === 'parentbased_traceidratio' ? ratio : 1,
  };
}

const LOOPBACK_ADDRESS = '127.0.0.1';

/** Default: the loopback address, because metrics reveal revenue and gas balances. */
export function readMetricsAddress(reader: SettingReader, httpPort: number): MetricsAddress | undefined {
  const host = reader.text('METRICS_HOST', LOOPBACK_ADDRESS);
  if (reader.text('METRICS_PORT', '') === '') return undefined;
  const port = reader.integer('METRICS_PORT', { min: 1, max: 65_535, fallback: 1 });
  if (port === httpPort) reader.addProblem('METRICS_PORT must differ from HTTP_PORT.');
  return { host, port };
}
