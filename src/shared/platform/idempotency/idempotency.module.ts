import { Injectable, Module } from '@nestjs/common';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { IdempotencyKeys } from './idempotency-keys.js';

const LOOK_EVERY_MS = 10_000;
export const PRUNED_AT_ONCE = 500;

/** Prunes in small steps and skips locked rows, so that several workers can prune concurrently. */
@Injectable()
export class PruningIdempotencyKeys extends BackgroundWork {
  constructor(keys: IdempotencyKeys) {
    const options = { name: 'pruning of idempotency keys', idleMs: LOOK_EVERY_MS };
    const turn = async () => (await keys.prune(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
    super([new BackgroundLoop(options, turn)]);
  }
}

@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
