import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { JsonLogger } from '../../shared/platform/logging/logger.js';
import { composeService, connect } from '../composition.js';
import type { Environment } from '../environment.js';
import { readSettings } from '../settings.js';

/**
 * The service's use cases for the operator's commands, with nothing running in the background. The caller closes it.
 * @throws InvalidSettings, or the database's error
 */
export async function openOperatorContext(
  environment: Environment,
  logger: JsonLogger,
): Promise<INestApplicationContext> {
  const settings = readSettings(environment);
  const dataSource = await connect('operator', settings, logger);
  return NestFactory.createApplicationContext(composeService('operator', settings, dataSource), {
    logger,
    abortOnError: false,
  });
}
