import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { DeliveryQueue, type ClaimedAttempt } from '../persistence/delivery-queue.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';

/** Attempts per transaction. */
const BATCH = 250;
/** An attempt that could not be recorded for this long has lost its claim: another worker repeats it. */
const GIVE_UP_AFTER_MS = 7_000;

interface Waiting {
  readonly claimed: ClaimedAttempt;
  readonly since: number;
}

/** Records what came of attempts, in batches of what ended while the batch before was being written. */
@Injectable()
export class AttemptRecorder {
  private readonly log = new EventLogger('webhook attempts');
  private waiting: Waiting[] = [];
  private readonly loop = new BackgroundLoop({ name: 'webhook attempts', idleMs: 1_000 }, () => this.turn());

  constructor(private readonly queue: DeliveryQueue) {}

  /** Outcomes that wait to be recorded. */
  get unrecorded(): number {
    return this.waiting.length;
  }

  start(): void {
    this.loop.start();
  }

  add(claimed: ClaimedAttempt): void {
    this.waiting.push({ claimed, since: performance.now() });
    this.loop.wake();
  }

  /** Records what is left, as far as the database answers. */
  async stop(): Promise<void> {
    await this.loop.stop();
    try {
      while (this.waiting.length > 0) await this.turn();
    } catch {
      // The claims lapse, and another worker attempts these again.
      this.log.write('webhook.attempts_not_stored', { attempts: this.waiting.length });
    }
  }

  private async turn(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH);
    if (batch.length === 0) return false;
    try {
      await this.queue.record(batch.map(({ claimed }) => claimed));
    } catch (error) {
      // Writing again is safe: what was committed after all no longer holds its claim.
      const oldest = performance.now() - GIVE_UP_AFTER_MS;
      this.waiting.unshift(...batch.filter(({ since }) => since > oldest));
      throw error;
    }
    return this.waiting.length > 0;
  }
}
