import { Logger } from '@nestjs/common';

export interface BackgroundLoopOptions {
  readonly name: string;
  /** Pause in milliseconds after a turn that found nothing to do; `wake` ends it early. */
  readonly idleMs: number;
  /** Longest pause in milliseconds after failures in a row; the first is a fifth of a second, then doubled. */
  readonly maxBackoffMs?: number;
}

/**
 * Takes turns until stopped. A turn answers true when there may be more to do at once.
 * A turn that throws is logged and tried again with back-off: background work never dies of an error.
 */
export class BackgroundLoop {
  private readonly log: Logger;
  private stopping = false;
  private failures = 0;
  private interrupt: (() => void) | null = null;
  private wanted = false;
  private finished: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: BackgroundLoopOptions,
    private readonly turn: () => Promise<boolean>,
  ) {
    this.log = new Logger(options.name);
  }

  start(): void {
    this.finished = this.run();
  }

  /** Ends the current pause: something to do has just been committed in this process. */
  wake(): void {
    this.wanted = true;
    if (this.failures === 0) this.interrupt?.();
  }

  /** Resolves once the running turn has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.interrupt?.();
    await this.finished;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wanted = false;
      let more = false;
      try {
        more = await this.turn();
        this.failures = 0;
      } catch (error) {
        this.failures += 1;
        this.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
      if (!this.stopping && !more && !(this.wanted && this.failures === 0)) await this.pause();
    }
  }

  private pause(): Promise<void> {
    const backoff = Math.min(100 * 2 ** this.failures, this.options.maxBackoffMs ?? 5_000);
    const ms = this.failures === 0 ? this.options.idleMs : backoff;
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const self = this;
      function done(): void {
        clearTimeout(timer);
        self.interrupt = null;
        resolve();
      }
      this.interrupt = done;
    });
  }
}
