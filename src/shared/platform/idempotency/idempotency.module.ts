import { Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { idempotencyInvariants } from './idempotency-invariants.js';
import { PruningIdempotencyKeys } from './pruning-idempotency-keys.js';

/** The invariants of idempotency keys. */
@Invariants(idempotencyInvariants)
@Module({})
export class IdempotencyModule {}

/** The worker's part for idempotency keys. */
@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
