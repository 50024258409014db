import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/** Work that a handler goes on with once its answer is sent, so that its time tells the caller nothing. */
@Injectable()
export class AfterAnswers implements BeforeApplicationShutdown {
  private readonly underway = new Set<Promise<void>>();

  /** Await it in the handler: what it throws is logged, though nobody is answered any more. */
  async finish(work: Promise<void>): Promise<void> {
    this.underway.add(work);
    try {
      await work;
    } finally {
      this.underway.delete(work);
    }
  }

  /** Until nothing is underway. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.underway);
  }
}
