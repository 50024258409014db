import { newId } from '../../kernel/ids.js';
import { BackgroundLoop, type BackgroundLoopOptions } from '../background/background-loop.js';
import { LeaseLost, type Leases } from './leases.js';

export interface LeasedLoopOptions extends BackgroundLoopOptions {
  readonly lease?: string;
  readonly whileHeldElsewhere?: () => void;
}

export class LeasedLoop {
  private readonly holder = newId<string>();
  private readonly lease: string;
  private readonly loop: BackgroundLoop;

  /**
   * @param work returns true if there may be more work immediately. A suspended process may resume after losing the
   * lease, so `work` can protect its writes by its epoch (`Leases.lockUntilCommit`).
   */
  constructor(
    private readonly options: LeasedLoopOptions,
    private readonly leases: Leases,
    private readonly work: (epoch: bigint) => Promise<boolean>,
  ) {
    this.lease = options.lease ?? options.name;
    this.loop = new BackgroundLoop(options, () => this.runIteration());
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leases.release(this.lease, this.holder).catch(() => undefined);
  }

  async runIteration(): Promise<boolean> {
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
