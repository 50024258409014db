import { Module } from '@nestjs/common';
import { PruningIdempotencyKeys } from './pruning-idempotency-keys.js';

/** What the worker does about idempotency keys. */
@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
