import { fileURLToPath } from 'node:url';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import type { EnvironmentVariables } from './environment.js';
import { readSettings, type Settings } from './settings.js';

const SHAPE_ONLY = {
  SERVICE_ENV: 'development',
  DATABASE_URL: 'postgres://127.0.0.1/unused',
  TOKEN_SIGNING_KEYS: `shape:${'A'.repeat(43)}`,
  WEBHOOK_SECRET_KEYS: `shape:${'A'.repeat(43)}`,
  DASHBOARD_SECRET_KEYS: `shape:${'A'.repeat(43)}`,
  NASPIP_ISSUER: 'shape',
  NASPIP_KEY_ID: 'shape',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2100-01-01T00:00:00Z',
  NETWORKS_FILE: fileURLToPath(
    new URL('../../../docs/reference/networks/evm-networks.json', import.meta.url),
  ),
};

export function placeholderSettings(changes: EnvironmentVariables = {}): Settings {
  return readSettings({ ...SHAPE_ONLY, ...changes });
}
