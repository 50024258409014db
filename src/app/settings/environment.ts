import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';

/** Settings by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the environment win over those of `.env`. */
export function readEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/**
 * Where neither says which environment this is, the operator means the sandbox that `npm start` made. For the command
 * line alone: an API or a worker with a forgotten setting must not start on play money's.
 */
export function readOperatorEnvironment(): Environment {
  const values = readEnvironment();
  const sandbox = join(values['SANDBOX_DIRECTORY']?.trim() || '.sandbox', 'service.env');
  if (values['SERVICE_ENV'] === undefined && existsSync(sandbox)) loadEnvFile(sandbox);
  return values;
}
