import type { ExampleValues } from '../shared/platform/http/openapi/example-values.js';
import type { DatabasePooler } from '../shared/platform/database/data-source.js';
import type { LogLevel } from '../shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** What is between this process and PostgreSQL: `transaction` for a pooler that gives out connections for one transaction each. */
  readonly databasePooler: DatabasePooler;
  readonly httpHost: string;
  readonly httpPort: number;
  /** Where callers reach this service: an origin. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** What stands for examples at /docs; none but in development. */
  readonly docsExamples: ExampleValues;
}
