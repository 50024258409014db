import { openTestDatabase } from '#test/support/open-database.js';
import { PublishEvents, EventBroker } from '../application/destinations/publish-events.js';
import { PostgresEventDestinations } from '../infrastructure/destinations/postgres-event-destinations.js';
import { newAccount, statusChanged } from './payment-events.js';
import { webhooksFixture } from './webhooks-fixture.js';
import { PublishingFailed } from '../domain/destinations/event-destination.js';
import type { BrokerMessage } from '../domain/destinations/broker-message.js';

export const MESSAGE_SOURCE = 'https://pay.example';

/** Opens a separate database with the merchants' event log and a destination that publishes it. */
export async function openDestination(name = 'teams') {
  const platform = await openTestDatabase();
  const webhooks = webhooksFixture(platform);
  const destinations = new PostgresEventDestinations(platform.database);
  await destinations.register(name);
  const account = newAccount();
  const log = () =>
    platform.database.query<{ id: string; number: number; body: string; paymentRequestId: string }>(
      'SELECT id, number, body, payment_request_id FROM webhooks.events ORDER BY number',
    );
  return {
    platform,
    account,
    destinations,
    log,
    happen: webhooks.happen,

    /** Records status changes of these payment requests, in order. @returns the ids of the recorded events */
    async pay(...requests: string[]): Promise<string[]> {
      const before = (await log()).length;
      await webhooks.happen(...requests.map((id) => statusChanged(account, { status: 'processing' }, id)));
      return (await log()).slice(before).map(({ id }) => id);
    },

    publishing: (broker: EventBroker) => new PublishEvents(name, MESSAGE_SOURCE, destinations, broker),

    async status() {
      return (await destinations.status()).find((each) => each.name === name)!;
    },
    close: () => platform.close(),
  };
}

/** A broker in memory that fails as the test requires. `npm run evidence -- destinations` tests real brokers. */
export class MemoryBroker extends EventBroker {
  readonly stored: string[] = [];
  refuses: (message: BrokerMessage) => boolean = () => false;
  isAway = false;
  /** True if the broker stores messages but disconnects before it acknowledges them. */
  losesAcknowledgements = false;

  override async publish(messages: readonly BrokerMessage[], acknowledged: (id: string) => void) {
    if (this.isAway) throw new PublishingFailed('unreachable', 'No server answers.');
    for (const message of messages) {
      if (this.refuses(message)) throw new PublishingFailed('too_large', 'It is too large.', message.id);
      this.stored.push(message.id);
      if (!this.losesAcknowledgements) acknowledged(message.id);
    }
    if (this.losesAcknowledgements) throw new PublishingFailed('unreachable', 'No answer in time.');
  }

  override async close(): Promise<void> {}
}
