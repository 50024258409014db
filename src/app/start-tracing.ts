import { traceBy } from '#shared/platform/tracing/tracing.js';
import type { ProcessSettings } from './settings/process-settings.js';

/** Loads OpenTelemetry where it is configured, and nothing of it elsewhere. */
export async function startTracing({ tracing }: ProcessSettings, role: string): Promise<void> {
  if (tracing === undefined) return;
  const { openTelemetry } = await import('#shared/platform/tracing/open-telemetry.js');
  traceBy(openTelemetry(tracing, role));
}
