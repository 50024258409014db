import type { ExampleValues } from '#shared/platform/http/openapi/example-values.js';
import type { DatabasePooler } from '#shared/platform/database/data-source.js';
import type { MetricsAddress } from '#shared/platform/metrics/metrics-listener.js';
import type { TracingSettings } from '#shared/platform/tracing/tracing.js';
import type { LogLevel } from '#shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

/** The protocols that URLs of the service and of its services may have: play money alone goes without TLS. */
export function webProtocols(environment: ProcessSettings['environment']): readonly string[] {
  return environment === 'development' ? ['http', 'https'] : ['https'];
}

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** The way to PostgreSQL: `transaction` is a pooler that lends a connection for one transaction each. */
  readonly databasePooler: DatabasePooler;
  /** Where processes keep what the database acknowledged; absent where no folder outlives them. */
  readonly stateDirectory: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number;
  /** The API takes requests for so long after SIGTERM, so that a load balancer sees that it is not ready. */
  readonly drainSeconds: number;
  /** Where Prometheus reads metrics; absent where nobody does. */
  readonly metrics: MetricsAddress | undefined;
  /** Absent where traces are not configured. */
  readonly tracing: TracingSettings | undefined;
  /** Where callers reach this service: an origin. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** Values that stand for examples at /docs; none but in development. */
  readonly docsExamples: ExampleValues;
}
