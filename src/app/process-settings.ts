import type { ExampleValues } from '../shared/platform/http/openapi/example-values.js';
import type { LogLevel } from '../shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly httpHost: string;
  readonly httpPort: number;
  /** Where callers reach this service: an origin. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
  /** What stands for examples at /docs; none but in development. */
  readonly docsExamples: ExampleValues;
}
