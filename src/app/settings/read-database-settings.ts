import { DATABASE_POOLERS } from '#shared/platform/database/data-source.js';
import type { ReplicaSettings } from '#shared/platform/replica/replica-pool.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { ProcessSettings } from './process-settings.js';

type DatabaseSettings = Pick<
  ProcessSettings,
  'databaseUrl' | 'databasePoolSize' | 'databasePooler' | 'databaseReplica' | 'stateDirectory'
>;

export function readDatabaseSettings(reader: SettingReader): DatabaseSettings {
  return {
    databaseUrl: reader.databaseUrl('DATABASE_URL'),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', { min: 2, max: 500, fallback: 10 }),
    databasePooler: reader.choice('DATABASE_POOLER', DATABASE_POOLERS, 'none'),
    databaseReplica: readReplica(reader),
    stateDirectory: reader.text('STATE_DIRECTORY', '') || undefined,
  };
}

function readReplica(reader: SettingReader): ReplicaSettings | undefined {
  const url = reader.url('DATABASE_REPLICA_URL', ['postgres', 'postgresql'], '');
  const bounds = { min: 1, max: 300, fallback: 10 };
  const maxAgeSeconds = reader.integer('DATABASE_REPLICA_MAX_AGE_SECONDS', bounds);
  return url === '' ? undefined : { url, maxAgeSeconds };
}
