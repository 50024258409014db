import { NestFactory } from '@nestjs/core';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';
import type { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService, connectToDatabase } from './composition.js';
import { listenForMetrics, startTracing, shutdownSignals } from './run-process.js';
import type { Settings } from './settings/settings.js';

/** Leases and row locks distribute the work among any number of workers. */
export async function startWorker(settings: Settings, logger: JsonLogger): Promise<void> {
  await startTracing(settings.process, 'worker');
  const dataSource = await connectToDatabase('worker', settings, logger);
  const app = await NestFactory.createApplicationContext(composeService('worker', settings, dataSource), {
    logger,
    abortOnError: false,
  });
  app.enableShutdownHooks(shutdownSignals(settings));
  await listenForMetrics(app, settings.process, logger);
  new OperatorLogWriter('worker', PLATFORM_LOG_EVENTS, logger).write('worker.started');
}
