import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '../background/background-loop.js';
import { WritesStoppedError } from '../database/transient-error.js';
import { Database } from '../database/database.js';
import { EventLog } from './event-log.js';
import { type EventSubscriber, POLL_ALL_SUBSCRIBERS, SubscriberRunner } from './subscriber-runner.js';

/** Interval of polling for events of other processes. */
const POLL_MS = 40;
const MAX_PAUSE_MS = 10_000;

/** Runs the event subscribers of all worker modules, each in its own loop. */
@Injectable()
export class EventSubscribers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners = new Map<string, SubscriberRunner>();
  private readonly loops = new Map<string, BackgroundLoop>();
  private readonly pollLoop = new BackgroundLoop({ name: 'event log', idleMs: POLL_MS }, () => this.poll());

  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  /** Must be called in the constructor of a module, before the application starts. */
  add(...subscribers: EventSubscriber[]): void {
    for (const subscriber of subscribers)
      this.runners.set(subscriber.name, new SubscriberRunner(this.database, subscriber));
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const [name, runner] of this.runners) {
      await runner.register().catch((error: unknown) => {
        // The subscriber registers in its first iteration instead, after the service has resumed writing.
        if (!(error instanceof WritesStoppedError)) throw error;
      });
      const options = { name: `subscriber ${name}`, idleMs: MAX_PAUSE_MS };
      const loop = new BackgroundLoop(options, () => runner.applyNextBatch());
      this.eventLog.onAppended(() => loop.wake());
      this.loops.set(name, loop);
      loop.start();
    }
    if (this.loops.size > 0) this.pollLoop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.pollLoop, ...this.loops.values()].map((loop) => loop.stop()));
  }

  private async poll(): Promise<boolean> {
    const found = await this.database.query<{ name: string }>(POLL_ALL_SUBSCRIBERS, [[...this.loops.keys()]]);
    for (const { name } of found) this.loops.get(name)!.wake();
    return false;
  }
}
