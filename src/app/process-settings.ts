import type { LogLevel } from '../shared/platform/logging/logger.js';

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const;

export interface ProcessSettings {
  readonly environment: (typeof ENVIRONMENTS)[number];
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly httpHost: string;
  readonly httpPort: number;
  /** `{base_url}` of the specification: where callers reach this service. */
  readonly publicUrl: string;
  readonly logLevel: LogLevel;
}
