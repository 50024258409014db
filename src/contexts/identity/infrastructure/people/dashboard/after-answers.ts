import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/** Work of a handler after its answer is sent, so that its duration reveals nothing to the caller. */
@Injectable()
export class AfterAnswers implements BeforeApplicationShutdown {
  private readonly underway = new Set<Promise<void>>();

  /** Await it in the handler: an error is logged, though the answer is sent already. */
  async finish(work: Promise<void>): Promise<void> {
    this.underway.add(work);
    try {
      await work;
    } finally {
      this.underway.delete(work);
    }
  }

  /** Waits until no work is underway. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.underway);
  }
}
