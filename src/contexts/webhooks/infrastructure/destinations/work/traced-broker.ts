import { runTraced } from '#shared/platform/tracing/tracing.js';
import { EventBroker } from '#contexts/webhooks/application/destinations/publish-events.js';
import type { EventDestination } from '#contexts/webhooks/domain/destinations/event-destination.js';
import type { BrokerMessage } from '#contexts/webhooks/domain/destinations/broker-message.js';

/** Loads the client library when the first event is published. */
export class TracedBroker extends EventBroker {
  private broker: EventBroker | undefined;

  constructor(private readonly destination: EventDestination) {
    super();
  }

  override publish(messages: readonly BrokerMessage[], acknowledged: (id: string) => void): Promise<void> {
    const { name, kind } = this.destination;
    const fields = {
      'messaging.system': kind,
      'messaging.destination.name': name,
      'messaging.batch.message_count': messages.length,
    };
    return runTraced({ name: 'event publishing', kind: 'client', fields }, async () => {
      this.broker ??= await this.loadBroker();
      await this.broker.publish(messages, acknowledged);
    });
  }

  override async close(): Promise<void> {
    await this.broker?.close();
  }

  private async loadBroker(): Promise<EventBroker> {
    if (this.destination.kind === 'kafka') {
      const { KafkaBroker } = await import('../kafka-broker.js');
      return new KafkaBroker(this.destination);
    }
    const { NatsBroker } = await import('../nats-broker.js');
    return new NatsBroker(this.destination);
  }
}
