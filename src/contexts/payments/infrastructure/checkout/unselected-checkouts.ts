import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { ExpireUnselectedCheckouts } from '../../application/checkout/expire-unselected-checkouts.js';

const LOOK_EVERY_MS = 500;

/** Any number of processes may do this: each checkout is ended under its row's lock. */
@Injectable()
export class UnselectedCheckouts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(expire: ExpireUnselectedCheckouts) {
    const options = { name: 'ending of unselected checkouts', idleMs: LOOK_EVERY_MS };
    this.loop = new BackgroundLoop(options, () => expire.execute());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
