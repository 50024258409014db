import { generatePaserkKeyPair } from '../../shared/naspip/paserk.js';
import { migrate } from '../migrate.js';
import { SettingReader } from '../../shared/platform/settings/setting-reader.js';
import type { Command } from './command.js';

/** Commands for before the service first starts. */
export const installationCommands: Command[] = [
  {
    words: 'migrate',
    about: 'Bring the database of DATABASE_URL to this release’s schema; safe to repeat.',
    async runAlone(_, environment) {
      const reader = new SettingReader(environment);
      const databaseUrl = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
      reader.finish();
      const applied = await migrate(databaseUrl);
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
