import { Injectable, Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { idempotencyInvariants } from './idempotency-invariants.js';

const LOOK_EVERY_MS = 10_000;
export const PRUNED_AT_ONCE = 500;

/** Small steps, which pass over rows that somebody has locked: several workers may prune at once. */
@Injectable()
export class PruningIdempotencyKeys extends BackgroundWork {
  protected readonly loops: readonly BackgroundLoop[];

  constructor(keys: IdempotencyKeys) {
    super();
    const options = { name: 'pruning of idempotency keys', idleMs: LOOK_EVERY_MS };
    const turn = async () => (await keys.prune(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
    this.loops = [new BackgroundLoop(options, turn)];
  }
}

/** The invariants of idempotency keys. */
@Invariants(idempotencyInvariants)
@Module({})
export class IdempotencyModule {}

/** The worker's part for idempotency keys. */
@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
