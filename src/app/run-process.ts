import { EventLogger } from '#shared/platform/logging/event-logger.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { startFailureSentence } from '#shared/platform/settings/setting-reader.js';
import { readEnvironment } from './settings/environment.js';
import { readSettings, type Settings } from './settings/settings.js';
import { traceBy } from '#shared/platform/tracing/tracing.js';
import { nodeReleaseWarning } from './node-release.js';
import type { ProcessSettings } from './settings/process-settings.js';
import { type INestApplicationContext, ShutdownSignal } from '@nestjs/common';
import { MetricsListener } from '#shared/platform/metrics/metrics-listener.js';

/** Starts a process of the service. A failure is reported as a sentence on standard error. */
export async function runProcess(
  role: string,
  start: (settings: Settings, logger: JsonLogger) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const logger = new JsonLogger({ level: settings.process.logLevel, base: { process: role } });
    const warning = nodeReleaseWarning(process.versions.node);
    if (warning !== null) new EventLogger('runtime', logger).write('runtime.outdated', { reason: warning });
    await start(settings, logger);
    await reportStart({ isReady: true });
  } catch (error) {
    const failure = `The ${role} could not start. ${startFailureSentence(error)}`;
    process.stderr.write(`${failure}\n`);
    await reportStart({ isReady: false, failure });
    process.exit(1);
  }
}

/** The result of the start of a process. */
export interface StartReport {
  readonly isReady: boolean;
  /** Why it could not start, in sentences. */
  readonly failure?: string;
}

/** Reports to the program that started this process (`stdio: 'ipc'`), which then does not need to read its log. */
export async function reportStart(report: StartReport): Promise<void> {
  if (process.send === undefined) return;
  await new Promise((resolve) => process.send!(report, resolve));
}

/** Loads OpenTelemetry if it is configured. */
export async function startTracing({ tracing }: ProcessSettings, role: string): Promise<void> {
  if (tracing === undefined) return;
  const { openTelemetry } = await import('#shared/platform/tracing/open-telemetry.js');
  const log = new EventLogger('tracing');
  traceBy(
    openTelemetry(tracing, role, (code) => {
      if (code === null) log.write('tracing.export_recovered');
      else log.write('tracing.export_failed', { code });
    }),
  );
}

/** Serves metrics if a port is set for them. @throws if the port is in use */
export async function listenForMetrics(
  app: INestApplicationContext,
  { metrics }: ProcessSettings,
  logger: JsonLogger,
): Promise<void> {
  if (metrics === undefined) return;
  await app.get(MetricsListener, { strict: false }).listen(metrics);
  const url = `http://${metrics.host}:${metrics.port}/metrics`;
  new EventLogger('metrics', logger).write('metrics.listening', { url });
}

/** The signals that stop a process in order. With a file of signing keys, SIGHUP reloads the file instead. */
export function stopSignals({ signingKeys }: Settings): ShutdownSignal[] {
  const all = Object.values(ShutdownSignal);
  return signingKeys.file === undefined ? all : all.filter((signal) => signal !== ShutdownSignal.SIGHUP);
}
