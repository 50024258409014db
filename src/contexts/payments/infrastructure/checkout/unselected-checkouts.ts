import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { ExpireUnselectedCheckouts } from '../../application/checkout/expire-unselected-checkouts.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';

const LOOK_EVERY_MS = 500;

/** Any number of processes may do this: each checkout is ended under its row's lock. */
@Injectable()
export class UnselectedCheckouts extends BackgroundWork {
  protected readonly loops: readonly BackgroundLoop[];

  constructor(expire: ExpireUnselectedCheckouts) {
    super();
    const options = { name: 'ending of unselected checkouts', idleMs: LOOK_EVERY_MS };
    this.loops = [new BackgroundLoop(options, () => expire.expire())];
  }
}
