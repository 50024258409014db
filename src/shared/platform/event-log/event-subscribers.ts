import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '../background/background-loop.js';
import { Database } from '../database/database.js';
import { EventLog } from './event-log.js';
import type { EventSubscriber } from './event-subscriber.js';
import { SubscriberRunner } from './subscriber-runner.js';

/** Pause between looks at the log for what other processes appended; this process's own commits wake at once. */
const POLL_MS = 40;

/** Runs the subscribers that the contexts' worker modules add, each in a loop of its own. */
@Injectable()
export class EventSubscribers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners = new Map<string, SubscriberRunner>();
  private loops: BackgroundLoop[] = [];

  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  /** Call while modules are initialised, before the application has started. */
  add(subscriber: EventSubscriber): void {
    this.runners.set(subscriber.name, new SubscriberRunner(this.database, subscriber));
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const [name, runner] of this.runners) {
      await runner.register();
      const loop = new BackgroundLoop({ name: `subscriber ${name}`, idleMs: POLL_MS }, () => runner.turn());
      this.eventLog.onAppended(() => loop.wake());
      this.loops.push(loop);
      loop.start();
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
