import { traced } from '../tracing/tracing.js';
import { EventLogger } from '../logging/event-logger.js';

/** After failures in a row; the first pause is a fifth of a second, then each is twice as long. */
const MAX_BACKOFF_MS = 5_000;

export interface BackgroundLoopOptions {
  readonly name: string;
  /** Pause in milliseconds after a turn that found nothing to do; `wake` ends it early. */
  readonly idleMs: number;
  /** Absent: it takes no turns while loops are held. */
  readonly whileHeld?: 'runs';
}

/** A held loop looks so often whether it may go on. */
const HELD_MS = 1_000;

/**
 * Takes turns until stopped. A turn answers true when there may be more to do at once.
 * A turn that throws is tried again with back-off: background work never dies of an error. It is logged once for each
 * thing that goes wrong until a turn succeeds: what lasts for hours would bury everything else.
 */
export class BackgroundLoop {
  /** The running loops of this process. */
  private static readonly running = new Set<BackgroundLoop>();
  private static readonly holds = new Set<() => boolean>();

  private readonly log: EventLogger;
  private stopping = false;
  private failures = 0;
  private firstFailedAt = 0;
  private readonly logged = new Set<string>();
  private interrupt: (() => void) | null = null;
  private wakeRequested = false;
  private finished: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: BackgroundLoopOptions,
    private readonly turn: () => Promise<boolean>,
  ) {
    this.log = new EventLogger(options.name);
  }

  /** The running loops of this process by name: for how many seconds their turns have failed in a row, else 0. */
  static failingSeconds(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { options, failures, firstFailedAt } of BackgroundLoop.running) {
      const seconds = failures === 0 ? 0 : (performance.now() - firstFailedAt) / 1_000;
      found.set(options.name, Math.max(seconds, found.get(options.name) ?? 0));
    }
    return found;
  }

  /**
   * While `isHeld` answers true, no loop of this process takes a turn: nothing is to be written, nor sent.
   * @returns ends it
   */
  static holdWhile(isHeld: () => boolean): () => void {
    BackgroundLoop.holds.add(isHeld);
    return () => void BackgroundLoop.holds.delete(isHeld);
  }

  start(): void {
    BackgroundLoop.running.add(this);
    this.finished = this.run();
  }

  /** Ends the current pause: something to do has just been committed in this process. */
  wake(): void {
    this.wakeRequested = true;
    if (this.failures === 0) this.interrupt?.();
  }

  /** Resolves once the running turn has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.interrupt?.();
    await this.finished;
    BackgroundLoop.running.delete(this);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      if (this.isHeld()) {
        await this.pause(HELD_MS);
        continue;
      }
      this.wakeRequested = false;
      let more = false;
      try {
        more = await traced(
          { name: this.options.name, kind: 'internal', parent: 'none', isPoll: true },
          this.turn,
        );
        this.recover();
      } catch (error) {
        if (this.failures === 0) this.firstFailedAt = performance.now();
        this.failures += 1;
        this.logOnce(error);
      }
      if (!this.stopping && !more && !(this.wakeRequested && this.failures === 0)) await this.pause();
    }
  }

  private isHeld(): boolean {
    return this.options.whileHeld !== 'runs' && [...BackgroundLoop.holds].some((isHeld) => isHeld());
  }

  private recover(): void {
    if (this.failures > 0)
      this.log.write('background.recovered', { loop: this.options.name, failures: this.failures });
    this.failures = 0;
    this.logged.clear();
  }

  private logOnce(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.logged.has(message)) return;
    this.logged.add(message);
    this.log.write('background.failed', { loop: this.options.name, err: error });
  }

  private pause(idleMs = this.options.idleMs): Promise<void> {
    const backoff = Math.min(100 * 2 ** this.failures, MAX_BACKOFF_MS);
    const ms = this.failures === 0 ? idleMs : backoff;
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
