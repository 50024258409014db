import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { LeaseLost, Leases } from '../leases/leases.js';
import { EVENTS_PER_SEAL, SEALING_LEASE, Seals } from './seals.js';

const EVERY_MS = 60_000;

/** Seals the event log once a minute, in one worker at a time: the holder of the lease. */
@Injectable()
export class Sealing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('seals');
  private readonly holder = newId<string>();
  private readonly loop = new BackgroundLoop({ name: 'sealing', idleMs: EVERY_MS }, () => this.turn());

  constructor(
    private readonly seals: Seals,
    private readonly leases: Leases,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.leases.release(SEALING_LEASE, this.holder).catch(() => undefined);
  }

  /** One seal. @returns true when there may be more */
  async turn(): Promise<boolean> {
    const epoch = await this.leases.acquire(SEALING_LEASE, this.holder);
    if (epoch === null) return false;
    try {
      const seal = await this.leases.keepDuring(SEALING_LEASE, this.holder, () => this.seals.sealNext(epoch));
      if (seal === null) return false;
      const { number, digest, events } = seal;
      // A copy of this line outside proves a rewritten log: `operator verify --seal <digest>`.
      this.log.log({ msg: 'The event log was sealed.', seal: number, digest, events });
      return events === EVENTS_PER_SEAL;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return false;
    }
  }
}
