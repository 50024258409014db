import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { DeliveryQueue, type ClaimedAttempt } from '../persistence/delivery-queue.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { WEBHOOKS_LOG_EVENTS } from '../../log-events.js';

const MAX_ATTEMPTS_PER_BATCH = 250;
/** The claim has expired and another worker repeats the attempt. */
const DROP_UNRECORDED_AFTER_MS = 7_000;

interface UnrecordedAttempt {
  readonly claimed: ClaimedAttempt;
  readonly since: number;
}

/** A batch contains the attempts that ended while the previous batch was written. */
@Injectable()
export class AttemptRecorder {
  private readonly log = new OperatorLogWriter('webhook attempts', WEBHOOKS_LOG_EVENTS);
  private waiting: UnrecordedAttempt[] = [];
  private readonly loop = new BackgroundLoop({ name: 'webhook attempts', idleMs: 1_000 }, () =>
    this.recordBatch(),
  );

  constructor(private readonly queue: DeliveryQueue) {}

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

  async stop(): Promise<void> {
    await this.loop.stop();
    try {
      while (this.waiting.length > 0) await this.recordBatch();
    } catch {
      this.log.write('webhook.attempts_not_stored', { attempts: this.waiting.length });
    }
  }

  private async recordBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, MAX_ATTEMPTS_PER_BATCH);
    if (batch.length === 0) return false;
    try {
      await this.queue.recordAttempts(batch.map(({ claimed }) => claimed));
    } catch (error) {
      // Safe: if the batch was committed after all, its claims have ended and its attempts are ignored.
      const oldest = performance.now() - DROP_UNRECORDED_AFTER_MS;
      this.waiting.unshift(...batch.filter(({ since }) => since > oldest));
      throw error;
    }
    return this.waiting.length > 0;
  }
}
