import { roleOfDatabaseUrl } from '#shared/platform/database/database-address.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import { migrate, MIGRATIONS_FOLDER, pendingMigrations } from '../../migrate.js';
import type { EnvironmentVariables } from '../../settings/environment.js';
import type { StandaloneCommand } from '../command.js';

export const migrateCommand: StandaloneCommand = {
  words: 'migrate',
  about:
    'Migrate the database to the schema of this release, as the role in MIGRATION_DATABASE_URL. Safe to repeat.',
  changes: {
    what: 'the database schema',
    irreversible: 'Migrations are forward-only. Only a backup restores the previous schema.',
    audited: 'after it',
    async preview(_, environment) {
      const { applied, pending } = await pendingMigrations(databaseRolesOf(environment).ownerUrl);
      if (applied === 0 || pending.length === 0) return null;
      return { effect: `These migrations will run: ${pending.join(', ')}.`, confirmedBy: 'yes' };
    },
  },
  example: '--yes',
  async runAlone(_, environment) {
    const { ownerUrl, serviceRole } = databaseRolesOf(environment);
    const applied = await migrate(ownerUrl, [MIGRATIONS_FOLDER], serviceRole);
    return {
      data: { applied },
      note: applied.length === 0 ? 'The schema was already up to date.' : 'The schema is now up to date.',
    };
  },
};

function databaseRolesOf(environment: EnvironmentVariables): {
  ownerUrl: string;
  serviceRole: string | undefined;
} {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.databaseUrl('DATABASE_URL');
  const ownerUrl = reader.databaseUrl('MIGRATION_DATABASE_URL', databaseUrl);
  const role = roleOfDatabaseUrl(databaseUrl);
  if (ownerUrl !== databaseUrl && role === '')
    reader.addProblem('DATABASE_URL must name the role that gets the privileges.');
  reader.requireValid();
  return { ownerUrl, serviceRole: role === roleOfDatabaseUrl(ownerUrl) ? undefined : role };
}
