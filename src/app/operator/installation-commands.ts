import { generatePaserkKeyPair } from '../../shared/naspip/paserk.js';
import { migrate, MIGRATIONS } from '../migrate.js';
import { SettingReader } from '../../shared/platform/settings/setting-reader.js';
import type { Command } from './command.js';

/** Commands for before the service first starts. */
export const installationCommands: Command[] = [
  {
    words: 'migrate',
    about:
      'Bring the database to this release’s schema, by the role of MIGRATION_DATABASE_URL; safe to repeat.',
    async runAlone(_, environment) {
      const reader = new SettingReader(environment);
      const databaseUrl = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
      const ownerUrl = reader.url('MIGRATION_DATABASE_URL', ['postgres', 'postgresql'], databaseUrl);
      const role = roleOf(databaseUrl);
      if (ownerUrl !== databaseUrl && role === '')
        reader.problem('DATABASE_URL must name the role to be granted.');
      reader.finish();
      const serviceRole = role === roleOf(ownerUrl) ? undefined : role;
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
