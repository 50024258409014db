import { newId } from '../../kernel/ids.js';
import { BackgroundLoop, type BackgroundLoopOptions } from '../background/background-loop.js';
import type { Leases } from './leases.js';

/** A background loop whose turns one process takes at a time: the holder of the lease of the loop's name. */
export class LeasedLoop {
  private readonly holder = newId<string>();
  private readonly loop: BackgroundLoop;

  /** @param turn answers true when there may be more to do at once */
  constructor(
    private readonly options: BackgroundLoopOptions,
    private readonly leases: Leases,
    turn: () => Promise<boolean>,
  ) {
    const { name } = options;
    this.loop = new BackgroundLoop(options, async () => {
      if ((await leases.acquire(name, this.holder)) === null) return false;
      return leases.keepDuring(name, this.holder, turn);
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves once the running turn has ended; another process can go on at once. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leases.release(this.options.name, this.holder).catch(() => undefined);
  }
}
