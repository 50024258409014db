import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { PrunePeople } from '../persistence/prune-people.js';

const LOOK_EVERY_MS = 60_000;

/** Removes what can open nothing any more. Several processes do not meet: each takes rows that nobody else holds. */
@Injectable()
export class PeoplePruning implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(prune: PrunePeople) {
    this.loop = new BackgroundLoop({ name: 'pruning of sessions', idleMs: LOOK_EVERY_MS }, () =>
      prune.execute(),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
