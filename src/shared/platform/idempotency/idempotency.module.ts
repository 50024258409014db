import { Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { idempotencyInvariants } from './idempotency-invariants.js';
import { PruningIdempotencyKeys } from './pruning-idempotency-keys.js';

/** What always holds of idempotency keys. */
@Invariants(idempotencyInvariants)
@Module({})
export class IdempotencyModule {}

/** What the worker does about idempotency keys. */
@Module({ providers: [PruningIdempotencyKeys] })
export class IdempotencyWorkerModule {}
