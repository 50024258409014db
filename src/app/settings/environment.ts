import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): EnvironmentVariables {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/**
 * Defaults to the sandbox. For the operator CLI only: an API or worker with a missing setting must not start on a
 * sandbox.
 */
export function readOperatorEnvironment(): EnvironmentVariables {
  const values = readEnvironment();
  const sandbox = join(values['SANDBOX_DIRECTORY']?.trim() || '.sandbox', 'service.env');
  if (values['SERVICE_ENV'] === undefined && existsSync(sandbox)) loadEnvFile(sandbox);
  return values;
}
