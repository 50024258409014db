import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { migrate, MIGRATIONS, pendingMigrations } from '../../migrate.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';
import type { Environment } from '../../settings/environment.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';

/** Commands for before the service first starts. */
export const installationCommands: Command[] = [
  {
    words: 'migrate',
    about:
      'Bring the database to this release’s schema, by the role of MIGRATION_DATABASE_URL; safe to repeat.',
    changes: {
      what: 'the schema of the database',
      irreversible: 'Migrations only go forward: a backup alone brings the schema back.',
      audited: 'after it',
      foretell: foretellMigrations,
    },
    example: '--yes',
    async runAlone(_, environment) {
      const { ownerUrl, serviceRole } = rolesOf(environment);
      const applied = await migrate(ownerUrl, [MIGRATIONS], serviceRole);
      return {
        data: { applied },
        note: applied.length === 0 ? 'The schema is up to date.' : 'The schema is now up to date.',
      };
    },
  },
  {
    words: 'naspip-key create',
    about: 'Make a key for signing payment tokens; nothing is stored.',
    example: '--json',
    async runAlone() {
      const { secretKey, publicKey } = generatePaserkKeyPair();
      const note = 'Put secret_key into NASPIP_SECRET_KEY and keep it nowhere else.';
      return { data: { secret_key: secretKey, public_key: publicKey }, note };
    },
  },
];

/** @returns an empty text where the URL names none, or is none */
function roleOf(databaseUrl: string): string {
  return URL.canParse(databaseUrl) ? decodeURIComponent(new URL(databaseUrl).username) : '';
}

function rolesOf(environment: Environment): { ownerUrl: string; serviceRole: string | undefined } {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
  const ownerUrl = reader.url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql'], databaseUrl);
  const role = roleOf(databaseUrl);
  if (ownerUrl !== databaseUrl && role === '')
    reader.problem('DATABASE_URL must name the role to be granted.');
  reader.finish();
  return { ownerUrl, serviceRole: role === roleOf(ownerUrl) ? undefined : role };
}

/** A database without a schema has nothing in it that a migration could change. */
async function foretellMigrations(_: CommandArguments, environment: Environment): Promise<Foretold | null> {
  const { applied, pending } = await pendingMigrations(rolesOf(environment).ownerUrl);
  if (applied === 0 || pending.length === 0) return null;
  return { says: `The schema will be changed by ${pending.join(', ')}.`, type: 'yes' };
}
