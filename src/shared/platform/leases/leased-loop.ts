import { newId } from '../../kernel/ids.js';
import { BackgroundLoop, type BackgroundLoopOptions } from '../background/background-loop.js';
import { LeaseLost, type Leases } from './leases.js';

export interface LeasedLoopOptions extends BackgroundLoopOptions {
  /** The lease's name; absent: the loop's. */
  readonly lease?: string;
  /** Called in place of a turn while another process holds the lease. */
  readonly whileHeldElsewhere?: () => void;
}

/** A background loop whose turns one process takes at a time: the holder of its lease. */
export class LeasedLoop {
  private readonly holder = newId<string>();
  private readonly lease: string;
  private readonly loop: BackgroundLoop;

  /**
   * @param work answers true when there may be more to do at once. It may fence its writes by the lease's epoch
   * (`Leases.protect`), since a suspended process may wake up after its lease has passed on; `LeaseLost` ends the turn
   */
  constructor(
    private readonly options: LeasedLoopOptions,
    private readonly leases: Leases,
    private readonly work: (epoch: bigint) => Promise<boolean>,
  ) {
    this.lease = options.lease ?? options.name;
    this.loop = new BackgroundLoop(options, () => this.turn());
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Resolves once the running turn has ended; another process can go on at once. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leases.release(this.lease, this.holder).catch(() => undefined);
  }

  async turn(): Promise<boolean> {
    const epoch = await this.leases.acquire(this.lease, this.holder);
    if (epoch === null) {
      this.options.whileHeldElsewhere?.();
      return false;
    }
    try {
      return await this.leases.keepDuring(this.lease, this.holder, () => this.work(epoch));
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      return false;
    }
  }
}
