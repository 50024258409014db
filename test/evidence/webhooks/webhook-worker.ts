// The worker without networks to watch. Its environment holds the settings. It queues the deliveries that it is sent, like the
// subscriber of events in the same process, and ends when it is sent nothing.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { composeService, connectToDatabase } from '#app/composition.js';
import { readSettings } from '#app/settings/settings.js';
import type { NewDelivery } from '#contexts/webhooks/domain/delivery/delivery.js';
import { Deliveries } from '#contexts/webhooks/infrastructure/delivery/persistence/deliveries.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { Database } from '#shared/platform/database/database.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { monotonic } from '../measures.js';

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

process.on('message', async ({ deliveries }: { deliveries?: NewDelivery[] }) => {
  if (deliveries) {
    const at = await app.get(Database).run(async () => {
      await app.get(Deliveries).queue(deliveries);
      return monotonic();
    });
    process.send!({ at });
  } else {
    await app.close();
    process.disconnect();
  }
});
process.send!('ready');
