import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

const SANDBOX_FILE = '.sandbox/service.env';

/**
 * The only place that reads the environment. What is set there wins; then `.env`; and where neither says which
 * environment this is, the settings of the sandbox that `npm start` made.
 */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  if (existsSync('.env')) loadEnvFile('.env');
  if (process.env.SERVICE_ENV === undefined && existsSync(SANDBOX_FILE)) loadEnvFile(SANDBOX_FILE);
  return process.env;
}
