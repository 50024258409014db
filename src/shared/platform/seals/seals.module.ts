import { Module } from '@nestjs/common';
import { Invariants } from '../invariants/registered-invariants.js';
import { sealInvariants } from './seal-invariants.js';
import { Sealing } from './sealing.js';
import { Seals } from './seals.js';

/** The invariants that compare the event log with its seals. */
@Invariants(sealInvariants)
@Module({ providers: [Seals], exports: [Seals] })
export class SealsModule {}

/** Makes them. */
@Module({ imports: [SealsModule], providers: [Sealing] })
export class SealsWorkerModule {}
