import { Cell, parseCellMark, parseOtherCells } from '#shared/kernel/cell.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { ExampleValues } from '#shared/platform/http/openapi/example-values.js';
import type { DatabasePooler } from '#shared/platform/database/data-source.js';
import type { ReplicaSettings } from '#shared/platform/replica/replica-pool.js';
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
  readonly cell: Cell;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** The way to PostgreSQL: `transaction` is a pooler that lends a connection for one transaction each. */
  readonly databasePooler: DatabasePooler;
  /** Where lists, files and pages may be read; absent where the one database answers all. */
  readonly databaseReplica: ReplicaSettings | undefined;
  /** Where processes keep what the database acknowledged; absent where no folder outlives them. */
  readonly stateDirectory: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number;
  /** The API takes requests for so long after SIGTERM, so that a load balancer sees that it is not ready. */
  readonly drainSeconds: number;
  /** How long the API keeps an idle connection, in seconds. */
  readonly keepAliveSeconds: number;
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

export function readCell(reader: SettingReader): Cell {
  const { mark } = new Cell();
  const own = reader.parsed('CELL', parseCellMark, mark) ?? mark;
  const others = reader.parsed('OTHER_CELLS', (text) => parseOtherCells(text, own), '') ?? '';
  return new Cell(own, others);
}
