import type { OnModuleDestroy } from '@nestjs/common';

/**
 * SIGTERM begins a drain: first the process says that it is not ready, then it stops taking requests and ends its work.
 */
export class Drain implements OnModuleDestroy {
  private begun = false;

  /** @param waitMs how long requests are still taken, so that those who send them can see it */
  constructor(private readonly waitMs: number) {}

  get isDraining(): boolean {
    return this.begun;
  }

  /** Runs before anything is stopped or closed. */
  async onModuleDestroy(): Promise<void> {
    this.begun = true;
    if (this.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, this.waitMs));
  }
}
