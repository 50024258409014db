import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JsonLogger } from '../shared/platform/logging/logger.js';
import { composeService, connect } from './composition.js';
import { readOperatorEnvironment } from './environment.js';
import { readSettings } from './settings.js';

/**
 * The service's use cases for the operator's commands, with nothing running in the background.
 * Logs only what is wrong, on standard error: standard output belongs to the command. The caller closes it.
 */
export async function openOperatorContext(): Promise<INestApplicationContext> {
  const settings = readSettings(readOperatorEnvironment());
  const logger = new JsonLogger({
    level: 'warn',
    base: { process: 'operator' },
    destination: process.stderr,
  });
  const dataSource = await connect('operator', settings, logger);
  return NestFactory.createApplicationContext(composeService('operator', settings, dataSource), {
    logger,
    abortOnError: false,
  });
}
