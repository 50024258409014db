import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Reads environment variables and the file `.env`. Environment variables take precedence. */
export function readEnvironment(): EnvironmentVariables {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/**
 * Uses the sandbox's settings if neither the environment nor `.env` sets SERVICE_ENV. For the operator CLI only: an
 * API or worker with a missing setting must not start on a sandbox.
 */
export function readOperatorEnvironment(): EnvironmentVariables {
  const values = readEnvironment();
  const sandbox = join(values['SANDBOX_DIRECTORY']?.trim() || '.sandbox', 'service.env');
  if (values['SERVICE_ENV'] === undefined && existsSync(sandbox)) loadEnvFile(sandbox);
  return values;
}
