import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { InvalidSettings } from '#shared/platform/setting-reader.js';
import { readSettings } from '../settings.js';

export const COMPLETE_SETTINGS = {
  SERVICE_ENV: 'development',
  DATABASE_URL: 'postgres://service@127.0.0.1/payments',
  TOKEN_SIGNING_KEYS: `key-1:${'A'.repeat(43)}`,
  WEBHOOK_SECRET_KEYS: `key-1:${'B'.repeat(42)}A`,
  DASHBOARD_SECRET_KEYS: `key-1:${'D'.repeat(42)}A`,
  NASPIP_ISSUER: 'pay.example',
  NASPIP_KEY_ID: 'key-2026',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2100-01-01T00:00:00Z',
  NETWORKS_FILE: 'docs/reference/networks/evm-networks.json',
};
const MAIL_SETTINGS = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'payments@shop.example' };
export const PRODUCTION_SETTINGS = {
  ...COMPLETE_SETTINGS,
  ...MAIL_SETTINGS,
  SERVICE_ENV: 'production',
  PUBLIC_URL: 'https://api.example',
};

/** Returns the problems of settings, one sentence per line. Empty if the settings are valid. */
export function findSettingsProblems(values: Record<string, string | undefined>): string {
  try {
    readSettings(values);
    return '';
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems.join('\n');
    throw error;
  }
}
