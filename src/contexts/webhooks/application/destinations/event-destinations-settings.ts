import type { EventDestination } from '#contexts/webhooks/domain/destinations/event-destination.js';

/** The brokers that follow the merchants' event log. */
export class EventDestinationsSettings {
  constructor(
    readonly destinations: readonly EventDestination[] = [],
    /** The origin of this service, which messages name as their source. */
    readonly source: string = '',
  ) {}
}
