import pg from 'pg';
import type { DatabasePooler } from '../database/data-source.js';
import { createPostgresClientClass } from '../database/service-client.js';
import { DATABASE_SESSION_OPTIONS } from '../database/session-settings.js';

export interface ReplicaSettings {
  readonly url: string;
  /** Maximum age of the replica's data, in seconds. */
  readonly maxAgeSeconds: number;
}

export interface ReplicaPoolSettings extends ReplicaSettings {
  readonly poolSize: number;
  readonly applicationName: string;
  readonly pooler: DatabasePooler;
  readonly onPoolError: (error: unknown) => void;
}

const CONNECTION_TIMEOUT_MS = 1_000;

/** Connects at the first read, so that an unavailable replica does not prevent the start. */
export function createReplicaPool(settings: ReplicaPoolSettings): pg.Pool {
  const isDirect = settings.pooler !== 'transaction';
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.poolSize,
    application_name: settings.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    Client: createPostgresClientClass({ prepares: isDirect }),
    ...(isDirect && { statement_timeout: 8_000, options: DATABASE_SESSION_OPTIONS }),
    query_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  pool.on('error', settings.onPoolError);
  return pool;
}
