import { EventBroker } from '../../application/destinations/publish-events.js';
import { PublishingFailed } from '../../domain/destinations/event-destination.js';
import type { EventMessage } from '../../domain/destinations/event-message.js';

/** A broker in memory, which fails where the test says so. The brokers' own faults: `npm run evidence -- destinations`. */
export class MemoryBroker extends EventBroker {
  /** The ids of stored messages, in order; those that it knew already come again. */
  readonly stored: string[] = [];
  refuses: (message: EventMessage) => boolean = () => false;
  isAway = false;
  /** Stores, and is away before it acknowledges. */
  losesAcknowledgements = false;

  override async publish(messages: readonly EventMessage[], acknowledged: (id: string) => void) {
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
