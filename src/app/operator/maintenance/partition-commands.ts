import type { DataSource } from 'typeorm';
import { SettingReader } from '#shared/platform/setting-reader.js';
import { archivePartition } from '../../event-partitions/archive-partition.js';
import { attachPartition, detachPartition } from '../../event-partitions/detach-partition.js';
import { createNextPartition } from '../../event-partitions/make-ready.js';
import { withMigrationLock } from '../../migrate.js';
import type { EnvironmentVariables } from '../../settings/environment.js';
import { withDataSource } from '../../with-data-source.js';
import type { StandaloneCommand } from '../command.js';

/** Times come from the hash chain, because partitions are bounded by transaction ids. */
const SELECT_LISTED_PARTITIONS = `
SELECT p.name, p.from_transaction, p.to_transaction,
  (SELECT min(made_at) FROM platform.seals s WHERE s.transaction_id >= p.from_transaction
    AND (p.to_transaction IS NULL OR s.transaction_id < p.to_transaction) AND s.number > 0) AS first_sealed,
  (SELECT max(made_at) FROM platform.seals s WHERE s.transaction_id >= p.from_transaction
    AND (p.to_transaction IS NULL OR s.transaction_id < p.to_transaction) AND s.number > 0) AS last_sealed,
  pg_size_pretty(pg_total_relation_size(to_regclass('platform.' || p.name))) AS size,
  CASE WHEN p.detached_at IS NOT NULL THEN 'detached' WHEN p.from_transaction > pg_snapshot_xmax(pg_current_snapshot()) THEN 'ready'
    WHEN p.to_transaction <= pg_snapshot_xmin(pg_current_snapshot()) THEN 'over' ELSE 'in use' END AS state,
  p.archive, encode(p.archive_digest, 'hex') AS archive_digest, p.archived_events
FROM platform.event_partitions p ORDER BY p.from_transaction`;

const PARTITION_ARGUMENT = { partition: 'name of the partition, from partitions list' };

export const partitionCommands: StandaloneCommand[] = [
  {
    words: 'partitions list',
    about: 'List the partitions of the event log with their times, sizes, states and archives.',
    example: '',
    async runAlone(_, environment) {
      return runAsOwner(environment, async (owner) => ({
        data: { partitions: await owner.query(SELECT_LISTED_PARTITIONS) },
      }));
    },
  },
  {
    words: 'partitions ready',
    about:
      'Create the next partition of the event log if the last one is in use or will be soon. Run it daily.',
    changes: {
      what: 'the partitions of the event log',
      undo: 'no undo needed: an empty partition does no harm.',
      audited: 'around it',
    },
    example: '',
    async runAlone(_, environment) {
      const made = await runExclusivelyAsOwner(environment, createNextPartition);
      return {
        data: { made },
        note: made === null ? 'The next partition already exists.' : `${made} is ready.`,
      };
    },
  },
  {
    words: 'partitions archive',
    about:
      'Write the oldest partition of the event log to a file, and check the file against the hash chain.',
    changes: {
      what: 'the archive file of a partition',
      undo: 'delete the file: the partition stays in the log and can be archived again.',
      audited: 'around it',
    },
    arguments: PARTITION_ARGUMENT,
    options: {
      folder: { value: 'path', about: 'absolute path of the folder for the file', required: true },
    },
    example: 'events_from_0 --folder /var/archive',
    async runAlone(args, environment) {
      const archived = await runExclusivelyAsOwner(environment, (owner) =>
        archivePartition(owner, args.text('partition'), args.text('folder')),
      );
      return { data: archived, note: 'Copy the file to another machine before you run `partitions detach`.' };
    },
  },
  {
    words: 'partitions detach',
    about: 'Check the archive of a partition again, then drop the partition from the event log.',
    changes: {
      what: 'the events in the database',
      undo: '`partitions attach <file>`.',
      audited: 'around it',
    },
    arguments: PARTITION_ARGUMENT,
    example: 'events_from_0',
    async runAlone(args, environment) {
      await runExclusivelyAsOwner(environment, (owner) => detachPartition(owner, args.text('partition')));
      return { data: { detached: args.text('partition') } };
    },
  },
  {
    words: 'partitions attach',
    about: 'Restore a detached partition to the event log from its archive.',
    changes: {
      what: 'the events in the database',
      undo: '`partitions detach <partition>`.',
      audited: 'around it',
    },
    arguments: { file: 'path of the archive file' },
    example: '/var/archive/events_from_0.jsonl.gz',
    async runAlone(args, environment) {
      return {
        data: {
          attached: await runExclusivelyAsOwner(environment, (owner) =>
            attachPartition(owner, args.text('file')),
          ),
        },
      };
    },
  },
];

function runExclusivelyAsOwner<Result>(
  environment: EnvironmentVariables,
  work: (owner: DataSource) => Promise<Result>,
): Promise<Result> {
  return runAsOwner(environment, (owner) => withMigrationLock(owner, () => work(owner)));
}

function runAsOwner<Result>(
  environment: EnvironmentVariables,
  work: (owner: DataSource) => Promise<Result>,
): Promise<Result> {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.databaseUrl('MIGRATION_DATABASE_URL', reader.databaseUrl('DATABASE_URL'));
  reader.requireValid();
  return withDataSource({ databaseUrl, poolSize: 2, applicationName: 'partitions' }, work);
}
