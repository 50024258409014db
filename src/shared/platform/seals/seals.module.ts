import { Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { sealInvariants } from './seal-invariants.js';
import { Sealing } from './sealing.js';
import { Seals } from './seals.js';

/** Invariants that compare the event log with its hash chain. */
@Invariants(sealInvariants)
@Module({ providers: [Seals], exports: [Seals] })
export class SealsModule {}

/** The worker's part: extends the hash chain. */
@Module({ imports: [SealsModule], providers: [Sealing] })
export class SealsWorkerModule {}
