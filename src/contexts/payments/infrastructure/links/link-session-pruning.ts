import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PruneLinkSessions } from '../../application/links/prune-link-sessions.js';

const LOOK_EVERY_MS = 10_000;

/** One process at a time: a second would only wait for the rows of the first. */
@Injectable()
export class LinkSessionPruning extends BackgroundWork {
  protected readonly loops: readonly LeasedLoop[];

  constructor(prune: PruneLinkSessions, leases: Leases) {
    super();
    const options = { name: 'pruning of link sessions', idleMs: LOOK_EVERY_MS };
    this.loops = [new LeasedLoop(options, leases, () => prune.prune())];
  }
}
