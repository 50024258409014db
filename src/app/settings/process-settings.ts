import { DeploymentCell, parseCellMark, parseOtherCells } from '#shared/kernel/deployment-cell.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { ExampleValues } from '#shared/platform/http/openapi/example-values.js';
import type { DatabasePooler } from '#shared/platform/database/data-source.js';
import type { ReplicaSettings } from '#shared/platform/replica/replica-pool.js';
import type { MetricsAddress } from '#shared/platform/metrics/metrics-listener.js';
import type { TracingSettings } from '#shared/platform/tracing/tracing.js';
import type { LogLevel } from '#shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export function webProtocols(environment: ProcessSettings['environment']): readonly string[] {
  return environment === 'development' ? ['http', 'https'] : ['https'];
}

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly cell: DeploymentCell;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** `transaction`: a pooler assigns a connection to each transaction. */
  readonly databasePooler: DatabasePooler;
  readonly databaseReplica: ReplicaSettings | undefined;
  /** Detects lost writes. Absent if no folder outlives the process. */
  readonly stateDirectory: string | undefined;
  readonly httpHost: string;
  readonly httpPort: number;
  /** After SIGTERM, so that load balancers notice that the API is not ready. */
  readonly drainSeconds: number;
  readonly keepAliveSeconds: number;
  readonly metrics: MetricsAddress | undefined;
  readonly tracing: TracingSettings | undefined;
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** Empty outside development. */
  readonly docsExamples: ExampleValues;
}

export function readCell(reader: SettingReader): DeploymentCell {
  const { mark } = new DeploymentCell();
  const own = reader.parse('CELL', parseCellMark, mark) ?? mark;
  const others = reader.parse('OTHER_CELLS', (text) => parseOtherCells(text, own), '') ?? '';
  return new DeploymentCell(own, others);
}
