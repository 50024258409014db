import { JsonLogger } from '#shared/platform/logging/logger.js';
import { startFailureSentence } from '#shared/platform/settings/start-failure.js';
import { reportStart } from './report-start.js';
import { readEnvironment } from './settings/environment.js';
import { readSettings, type Settings } from './settings/settings.js';

/** Runs a process of the service: settings first, and what stops the start is a sentence on standard error. */
export async function runProcess(
  role: string,
  start: (settings: Settings, logger: JsonLogger) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const logger = new JsonLogger({ level: settings.process.logLevel, base: { process: role } });
    await start(settings, logger);
    await reportStart({ isReady: true });
  } catch (error) {
    const failure = `The ${role} could not start. ${startFailureSentence(error)}`;
    process.stderr.write(`${failure}\n`);
    await reportStart({ isReady: false, failure });
    process.exit(1);
  }
}
