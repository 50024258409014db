import { JsonLogger } from '../shared/platform/logging/logger.js';
import { readEnvironment } from './environment.js';
import { readSettings, type Settings } from './settings.js';

/** Runs a process of the service: settings first, and what stops the start is a sentence on standard error. */
export async function runProcess(
  role: string,
  start: (settings: Settings, logger: JsonLogger) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const logger = new JsonLogger({ level: settings.process.logLevel, base: { process: role } });
    await start(settings, logger);
  } catch (error) {
    process.stderr.write(`The ${role} could not start. ${sentenceOf(error)}\n`);
    process.exit(1);
  }
}

/** What an operator needs to read; a stack only for what nobody foresaw. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE') return `${error.message}. Stop what listens there, or set HTTP_PORT.`;
  if (code === '42P01' || code === '3F000') {
    return 'The database of DATABASE_URL lacks this release’s schema. Run the operator’s command: migrate.';
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database of DATABASE_URL cannot be used: ${error.message || String(code)}.`;
  }
  if (error.name === 'Error' || error instanceof TypeError) return error.stack ?? error.message;
  return error.message;
}
