import {
  Module,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { idempotencyInvariants } from './idempotency-keys.sql.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { IdempotencyKeys } from './idempotency-keys.js';

const LOOK_EVERY_MS = 10_000;
export const PRUNED_AT_ONCE = 500;

/** Small steps, which pass over rows that somebody has locked: several workers may prune at once. */
@Injectable()
export class PruningIdempotencyKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new BackgroundLoop(
    { name: 'pruning of idempotency keys', idleMs: LOOK_EVERY_MS },
    async () => (await this.keys.prune(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
  );

  constructor(private readonly keys: IdempotencyKeys) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}

/** The invariants of idempotency keys. */
@Invariants(idempotencyInvariants)
@Module({})
export class IdempotencyModule {}

/** The worker's part for idempotency keys. */
@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
