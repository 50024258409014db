import { runTraced } from '../tracing/tracing.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** Maximum pause after consecutive failures. */
const MAX_BACKOFF_MS = 5_000;

export interface BackgroundLoopOptions {
  readonly name: string;
  readonly idleMs: number;
  /** Pause within a second after the last iteration that found work. Default: `idleMs`. */
  readonly busyMs?: number;
  /** `runs`: continues while `pauseAllWhile` pauses the other loops. Default: pauses with them. */
  readonly whileHeld?: 'runs';
}

const HELD_CHECK_INTERVAL_MS = 1_000;
const BUSY_AFTER_WORK_MS = 1_000;

/** Repeats an iteration until stopped. An iteration returns true if there may be more work immediately. */
export class BackgroundLoop {
  private static readonly running = new Set<BackgroundLoop>();
  private static readonly holds = new Set<() => boolean>();

  private readonly log: OperatorLogWriter;
  private stopping = false;
  private failures = 0;
  private firstFailedAt = 0;
  private readonly logged = new Set<string>();
  private interrupt: (() => void) | null = null;
  private wakeRequested = false;
  private workedAt = -Infinity;
  private finished: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: BackgroundLoopOptions,
    private readonly turn: () => Promise<boolean>,
  ) {
    this.log = new OperatorLogWriter(options.name, PLATFORM_LOG_EVENTS);
  }

  static secondsFailingByLoop(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { options, failures, firstFailedAt } of BackgroundLoop.running) {
      const seconds = failures === 0 ? 0 : (performance.now() - firstFailedAt) / 1_000;
      found.set(options.name, Math.max(seconds, found.get(options.name) ?? 0));
    }
    return found;
  }

  /** Pauses all loops of this process while `isHeld` returns true. @returns a function that removes this condition */
  static pauseAllWhile(isHeld: () => boolean): () => void {
    BackgroundLoop.holds.add(isHeld);
    return () => void BackgroundLoop.holds.delete(isHeld);
  }

  start(): void {
    BackgroundLoop.running.add(this);
    this.finished = this.run();
  }

  wake(): void {
    this.wakeRequested = true;
    if (this.failures === 0) this.interrupt?.();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.interrupt?.();
    await this.finished;
    BackgroundLoop.running.delete(this);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      if (this.isHeld()) {
        await this.pause(HELD_CHECK_INTERVAL_MS);
        continue;
      }
      this.wakeRequested = false;
      let more = false;
      try {
        more = await runTraced(
          { name: this.options.name, kind: 'internal', parent: 'none', isPoll: true },
          this.turn,
        );
        this.recover();
        if (more) this.workedAt = performance.now();
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

  private get idleMs(): number {
    const { idleMs, busyMs = idleMs } = this.options;
    return performance.now() - this.workedAt < BUSY_AFTER_WORK_MS ? busyMs : idleMs;
  }

  private pause(idleMs = this.idleMs): Promise<void> {
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
