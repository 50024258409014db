import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { PrunePeople } from '../persistence/prune-people.js';

const LOOK_EVERY_MS = 60_000;

/** Removes what can open nothing any more. Several processes do not meet: each takes rows that nobody else holds. */
@Injectable()
export class PeoplePruning extends BackgroundWork {
  protected readonly loops: readonly BackgroundLoop[];

  constructor(prune: PrunePeople) {
    super();
    const options = { name: 'pruning of sessions', idleMs: LOOK_EVERY_MS };
    this.loops = [new BackgroundLoop(options, () => prune.execute())];
  }
}
