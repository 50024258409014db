import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { startFailureSentence } from '#shared/platform/setting-reader.js';
import { readEnvironment } from './settings/environment.js';
import { readSettings, type Settings } from './settings/settings.js';
import { setTracing } from '#shared/platform/tracing/tracing.js';
import type { ProcessSettings } from './settings/process-settings.js';
import { type INestApplicationContext, ShutdownSignal } from '@nestjs/common';
import { MetricsListener } from '#shared/platform/metrics/metrics-listener.js';

export async function runProcess(
  role: string,
  start: (settings: Settings, logger: JsonLogger) => Promise<void>,
): Promise<void> {
  try {
    const settings = readSettings(readEnvironment());
    const logger = new JsonLogger({ level: settings.process.logLevel, base: { process: role } });
    const warning = nodeReleaseWarning(process.versions.node);
    if (warning !== null)
      new OperatorLogWriter('runtime', PLATFORM_LOG_EVENTS, logger).write('runtime.outdated', {
        reason: warning,
      });
    await start(settings, logger);
    await reportStart({ isReady: true });
  } catch (error) {
    const failure = `The ${role} could not start. ${startFailureSentence(error)}`;
    process.stderr.write(`${failure}\n`);
    await reportStart({ isReady: false, failure });
    process.exit(1);
  }
}

export interface StartReport {
  readonly isReady: boolean;
  readonly failure?: string;
}

/** Uses IPC, so that the parent does not have to parse the log. */
export async function reportStart(report: StartReport): Promise<void> {
  if (process.send === undefined) return;
  await new Promise((resolve) => process.send!(report, resolve));
}

export async function startTracing({ tracing }: ProcessSettings, role: string): Promise<void> {
  if (tracing === undefined) return;
  const { openTelemetry } = await import('#shared/platform/tracing/open-telemetry.js');
  const log = new OperatorLogWriter('tracing', PLATFORM_LOG_EVENTS);
  setTracing(
    openTelemetry(tracing, role, (code) => {
      if (code === null) log.write('tracing.export_recovered');
      else log.write('tracing.export_failed', { code });
    }),
  );
}

export async function listenForMetrics(
  app: INestApplicationContext,
  { metrics }: ProcessSettings,
  logger: JsonLogger,
): Promise<void> {
  if (metrics === undefined) return;
  await app.get(MetricsListener, { strict: false }).listen(metrics);
  const url = `http://${metrics.host}:${metrics.port}/metrics`;
  new OperatorLogWriter('metrics', PLATFORM_LOG_EVENTS, logger).write('metrics.listening', { url });
}

/** Without SIGHUP if it reloads signing keys from a file. */
export function shutdownSignals({ signingKeys }: Settings): ShutdownSignal[] {
  const all = Object.values(ShutdownSignal);
  return signingKeys.file === undefined ? all : all.filter((signal) => signal !== ShutdownSignal.SIGHUP);
}

const FIXED_NODE_RELEASES = ['22.23.4', '24.22.1', '26.12.1'];

/** @returns null if the release is fixed */
export function nodeReleaseWarning(version: string): string | null {
  if (hasSecurityFix(version)) return null;
  return (
    `Node ${version} has CVE-2026-111497: its Brotli decoder can be made to run code from a response. The service decodes no ` +
    `Brotli, but update Node to ${FIXED_NODE_RELEASES.slice(0, -1).join(', ')}, ${FIXED_NODE_RELEASES.at(-1)} or newer.`
  );
}

function hasSecurityFix(version: string): boolean {
  const [major] = parseVersion(version);
  const fixed = FIXED_NODE_RELEASES.map(parseVersion);
  if (major > fixed.at(-1)![0]) return true;
  return fixed.some(([line, minor, patch]) => {
    const [, ownMinor, ownPatch] = parseVersion(version);
    return major === line && (ownMinor > minor || (ownMinor === minor && ownPatch >= patch));
  });
}

function parseVersion(version: string): [major: number, minor: number, patch: number] {
  return version.split('.').map((part) => Number.parseInt(part, 10)) as [number, number, number];
}
