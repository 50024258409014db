import { Injectable, Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { idempotencyInvariants } from './idempotency-invariants.js';

const LOOK_EVERY_MS = 10_000;
export const PRUNED_AT_ONCE = 500;

/** Prunes in small steps and skips locked rows, so that several workers can prune concurrently. */
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

@Invariants(idempotencyInvariants)
@Module({})
export class IdempotencyModule {}

@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
