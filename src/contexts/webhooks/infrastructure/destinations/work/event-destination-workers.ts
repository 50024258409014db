import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { tracing } from '#shared/platform/tracing/tracing.js';
import { EventDestinationsSettings } from '#contexts/webhooks/domain/destinations/event-destination.js';
import { PublishEvents } from '#contexts/webhooks/application/destinations/publish-events.js';
import { PostgresEventDestinations } from '../postgres-event-destinations.js';
import { TracedBroker } from './traced-broker.js';

const IDLE_MS = 500;
const REGISTRATION_INTERVAL_MS = 60_000;

/** Each destination is served by the holder of its lease. */
@Injectable()
export class EventDestinationWorkers extends BackgroundWork {
  private readonly brokers: readonly TracedBroker[];
  private readonly registeredAt = new Map<string, number>();

  constructor(
    { destinations, source }: EventDestinationsSettings,
    private readonly positions: PostgresEventDestinations,
    leases: Leases,
  ) {
    const brokers = destinations.map((destination) => new TracedBroker(destination));
    // The lease only avoids duplicate work; the database protects the checkpoint.
    super(
      destinations.map(({ name }, place) => {
        const publish = new PublishEvents(name, source, positions, brokers[place]!);
        return new LeasedLoop({ name: `destination ${name}`, idleMs: IDLE_MS }, leases, async () => {
          await this.registerDestination(name);
          return publish.publish(tracing()?.current()?.traceparent);
        });
      }),
    );
    this.brokers = brokers;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.brokers.map((broker) => broker.close()));
  }

  private async registerDestination(name: string): Promise<void> {
    const now = performance.now();
    if (now - (this.registeredAt.get(name) ?? -Infinity) < REGISTRATION_INTERVAL_MS) return;
    await this.positions.register(name);
    this.registeredAt.set(name, now);
  }
}
