import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { SandboxSettings } from '../sandbox-settings.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { writeWhole } from '../folder/sandbox-folder.js';

const KEY_YEARS = 10;
const GAS_KEYS = ['GAS_KEY_FILE', 'GAS_KEY', 'GAS_SIGNER_URL'];

export interface ServicePlace {
  databaseUrl: string;
  networksFile: string;
  /** URL of the sandbox wallet. Absent if there is none. */
  walletUrl?: string | undefined;
  /** Absent if there is no such key, or the user's settings name another. */
  gasKeyFile?: string | undefined;
}

/**
 * Builds the environment of the service and stores it in the format that `npm run operator` reads. Secrets are
 * generated once. The user's settings take precedence.
 */
export function serviceEnvironment(
  file: string,
  { environment, httpHost, httpPort, publicUrl }: SandboxSettings,
  { databaseUrl, networksFile, walletUrl, gasKeyFile }: ServicePlace,
): Record<string, string> {
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const once = (name: string, make: () => string) => environment[name] || kept[name] || make();
  const values: Record<string, string> = {
    SERVICE_ENV: 'development',
    PUBLIC_URL: publicUrl,
    HTTP_HOST: httpHost,
    HTTP_PORT: String(httpPort),
    DATABASE_URL: databaseUrl,
    NETWORKS_FILE: networksFile,
    ...(environment['SIGNING_KEYS_FILE']
      ? { SIGNING_KEYS_FILE: environment['SIGNING_KEYS_FILE'] }
      : {
          TOKEN_SIGNING_KEYS: once('TOKEN_SIGNING_KEYS', newKey),
          NASPIP_KEY_ID: environment['NASPIP_KEY_ID'] ?? 'sandbox-1',
          NASPIP_SECRET_KEY: once('NASPIP_SECRET_KEY', () => generatePaserkKeyPair().secretKey),
          NASPIP_KEY_EXPIRES_AT: once('NASPIP_KEY_EXPIRES_AT', inTenYears),
        }),
    WEBHOOK_SECRET_KEYS: once('WEBHOOK_SECRET_KEYS', newKey),
    DASHBOARD_SECRET_KEYS: once('DASHBOARD_SECRET_KEYS', newKey),
    WEBHOOK_ALLOW_LOOPBACK_HTTP: environment['WEBHOOK_ALLOW_LOOPBACK_HTTP'] ?? 'true',
    NASPIP_ISSUER: environment['NASPIP_ISSUER'] ?? 'sandbox.example',
    ...(gasKeyFile !== undefined &&
      !GAS_KEYS.some((name) => environment[name]) && { GAS_KEY_FILE: gasKeyFile }),
    ...(environment['REFUND_KEY_FILE'] ? {} : { REFUND_KEY: once('REFUND_KEY', newSecret) }),
    ...(walletUrl !== undefined && {
      CHECKOUT_SANDBOX_WALLET_URL: environment['CHECKOUT_SANDBOX_WALLET_URL'] ?? walletUrl,
    }),
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);
  writeWhole(
    file,
    `# Written by npm start. The secrets are kept; every start writes the other values again.\n${lines.join('\n')}\n`,
  );
  return { ...environment, ...values };
}

/** @returns the address of the key, which is generated once */
export function ensureGasKey(file: string): Hex {
  if (!existsSync(file)) writeWhole(file, `${generatePrivateKey()}\n`);
  return privateKeyToAddress(readFileSync(file, 'utf8').trim() as Hex);
}

function newKey(): string {
  return `sandbox-1:${randomBytes(32).toString('base64url')}`;
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}

function inTenYears(): string {
  const time = new Date();
  time.setUTCFullYear(time.getUTCFullYear() + KEY_YEARS);
  return time.toISOString();
}

/** Quotes a value, because `#` or a space would end it early. */
function quoted(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
