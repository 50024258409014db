import { setTimeout as pause } from 'node:timers/promises';
import { bookkeeper } from '#contexts/ledger/testing/open-ledger.js';
import { ObservedDatabase } from '#contexts/payments/testing/requests/observed-database.js';
import { AttemptLog } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import { PostgresDeliveries } from '#contexts/webhooks/infrastructure/delivery/persistence/postgres-deliveries.js';
import { PostgresMerchantEvents } from '#contexts/webhooks/infrastructure/events/persistence/postgres-merchant-events.js';
import { MerchantEventsSubscriber } from '#contexts/webhooks/infrastructure/events/subscribers/merchant-events-subscriber.js';
import { WebhookHealth } from '#contexts/webhooks/infrastructure/delivery/persistence/webhook-health.js';
import { WebhooksSubscriber } from '#contexts/webhooks/infrastructure/delivery/subscribers/webhooks-subscriber.js';
import { DueWork } from '#shared/platform/due-work/due-work.js';
import type { Database } from '#shared/platform/database/database.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import type { ChainWorld } from './chain-world.js';

class Death extends Error {}

/** A worker process, as far as it keeps the ledger and notifies merchants. */
export class Bookkeepers {
  constructor(private readonly world: ChainWorld) {}

  /** @param diesAfter so many statements; null: it lives */
  async turn(diesAfter: number | null): Promise<void> {
    const database = new ObservedDatabase(this.world.dataSource);
    if (diesAfter !== null) {
      database.beforeStatement = (number) => {
        if (number > diesAfter) throw new Death();
      };
    }
    for (const runner of this.runners(database)) {
      await runner.turn().catch((error: unknown) => {
        if (!(error instanceof Death)) throw error;
      });
    }
  }

  /** To the end of the event log; open transactions of others on the same server delay that. */
  async untilRead(): Promise<void> {
    const runners = this.runners(new ObservedDatabase(this.world.dataSource));
    for (const runner of runners) await runner.register();
    for (const deadline = Date.now() + 60_000; (await this.behind()) > 0;) {
      if (Date.now() > deadline) throw new Error('The books do not get to the end of the event log.');
      for (const runner of runners) await runner.turn();
      await pause(2);
    }
  }

  private async behind(): Promise<number> {
    const [row] = await this.world.service.query<{ behind: number }>(
      `SELECT count(*)::int AS behind FROM platform.subscriber_positions p
       WHERE p.subscriber IN ('ledger_movements', 'merchant_events', 'webhooks') AND EXISTS (SELECT 1 FROM platform.events e
         WHERE (e.transaction_id, e.position) > (p.transaction_id, p.position))`,
    );
    return row!.behind;
  }

  private runners(database: Database): SubscriberRunner[] {
    const deliveries = new PostgresDeliveries(
      database,
      new DueWork(database),
      new AttemptLog(database),
      new WebhookHealth(database),
    );
    return [
      new WebhooksSubscriber(deliveries),
      bookkeeper(database),
      new MerchantEventsSubscriber(new PostgresMerchantEvents(database)),
    ].map((subscriber) => new SubscriberRunner(database, subscriber));
  }
}
