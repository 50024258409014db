import { Cell, parseCellMark, parseOtherCells } from '#shared/kernel/cell.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { ExampleValues } from '#shared/platform/http/openapi/example-values.js';
import type { DatabasePooler } from '#shared/platform/database/data-source.js';
import type { ReplicaSettings } from '#shared/platform/replica/replica-pool.js';
import type { MetricsAddress } from '#shared/platform/metrics/metrics-listener.js';
import type { TracingSettings } from '#shared/platform/tracing/tracing.js';
import type { LogLevel } from '#shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

/** Protocols that URLs in settings may have. Only development allows HTTP without TLS. */
export function webProtocols(environment: ProcessSettings['environment']): readonly string[] {
  return environment === 'development' ? ['http', 'https'] : ['https'];
}

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly cell: Cell;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** `transaction`: the database is reached through a pooler that assigns a connection to each transaction. */
  readonly databasePooler: DatabasePooler;
  /** Database replica that serves lists, files and pages. Absent if the primary serves them. */
  readonly databaseReplica: ReplicaSettings | undefined;
  /** Folder that records acknowledged writes, to detect their loss. Absent if no folder outlives the process. */
  readonly stateDirectory: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number;
  /** Seconds that the API still accepts requests after SIGTERM, so that load balancers notice that it is not ready. */
  readonly drainSeconds: number;
  readonly keepAliveSeconds: number;
  /** Address at which Prometheus scrapes metrics. Absent if metrics are off. */
  readonly metrics: MetricsAddress | undefined;
  /** OpenTelemetry settings. Absent if tracing is not configured. */
  readonly tracing: TracingSettings | undefined;
  /** Origin at which clients reach this service. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** Values that replace the examples in the API reference at /docs. Empty outside development. */
  readonly docsExamples: ExampleValues;
}

export function readCell(reader: SettingReader): Cell {
  const { mark } = new Cell();
  const own = reader.parse('CELL', parseCellMark, mark) ?? mark;
  const others = reader.parse('OTHER_CELLS', (text) => parseOtherCells(text, own), '') ?? '';
  return new Cell(own, others);
}
