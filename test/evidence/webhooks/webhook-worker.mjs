// The built worker without networks to watch. It also appends events on demand, as the chain's watcher does within
// this process. Its environment holds the settings.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { composeService, connect } from '../../../dist/app/composition.js';
import { readSettings } from '../../../dist/app/settings/settings.js';
import { NetworksSettings } from '../../../dist/contexts/networks/infrastructure/networks-settings.js';
import { Database } from '../../../dist/shared/platform/database/database.js';
import { EventLog } from '../../../dist/shared/platform/event-log/event-log.js';
import { JsonLogger } from '../../../dist/shared/platform/logging/logger.js';

const logger = new JsonLogger({ level: 'warn', base: { process: 'worker' } });
const settings = readSettings(process.env);
const contexts = settings.contexts.map((one) =>
  one instanceof NetworksSettings ? new NetworksSettings([]) : one,
);
const dataSource = await connect('worker', settings, logger);
const app = await NestFactory.createApplicationContext(
  composeService('worker', { ...settings, contexts }, dataSource),
  { logger, abortOnError: false },
);
const [database, log] = [app.get(Database), app.get(EventLog)];

process.on('message', async ({ append }) => {
  if (append === undefined) {
    await app.close();
    process.disconnect();
    return;
  }
  let at;
  await database.run(async () => {
    await log.append(append.map((event) => ({ ...event, occurredAt: new Date(event.occurredAt) })));
    at = Number(process.hrtime.bigint()) / 1e6;
  });
  process.send({ at });
});
process.send('ready');
