// The built worker without networks to watch. Its environment holds the settings.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { composeService, connectToDatabase } from '#app/composition.js';
import { readSettings } from '#app/settings/settings.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';

const logger = new JsonLogger({ level: 'warn', base: { process: 'worker' } });
const settings = readSettings(process.env);
const contexts = settings.contexts.map((one) =>
  one instanceof NetworksSettings ? new NetworksSettings([]) : one,
);
const dataSource = await connectToDatabase('worker', settings, logger);
const app = await NestFactory.createApplicationContext(
  composeService('worker', { ...settings, contexts }, dataSource),
  { logger, abortOnError: false },
);

process.on('message', async () => {
  await app.close();
  process.disconnect();
});
process.send!('ready');
