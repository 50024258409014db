import { Injectable, Module } from '@nestjs/common';
import { BackgroundWork } from '../background/background-work.js';
import { Invariants } from '../invariants/registered-invariants.js';
import { LeasedLoop } from '../leases/leased-loop.js';
import { Leases } from '../leases/leases.js';
import { EventLogger } from '../logging/event-logger.js';
import { sealInvariants } from './seal-invariants.js';
import { EVENTS_PER_SEAL, SEALING_LEASE, Seals } from './seals.js';

const EVERY_MS = 60_000;

/** Extends the event log's hash chain once a minute, in the worker that holds the lease. */
@Injectable()
class SealEvents extends BackgroundWork {
  private readonly log = new EventLogger('seals');

  constructor(
    private readonly seals: Seals,
    leases: Leases,
  ) {
    const options = { name: 'sealing', lease: SEALING_LEASE, idleMs: EVERY_MS };
    super([new LeasedLoop(options, leases, (epoch) => this.seal(epoch))]);
  }

  private async seal(epoch: bigint): Promise<boolean> {
    const seal = await this.seals.sealNext(epoch);
    if (seal === null) return false;
    const { number, digest, events } = seal;
    // An external copy of this log line can prove that the event log was rewritten: `operator verify --seal <digest>`.
    this.log.write('events.sealed', { seal: number, digest, events });
    return events === EVENTS_PER_SEAL;
  }
}

/** Invariants that compare the event log with its hash chain. */
@Invariants(sealInvariants)
@Module({ providers: [Seals], exports: [Seals] })
export class SealsModule {}

@Module({ imports: [SealsModule], providers: [SealEvents] })
export class SealsWorkerModule {}
