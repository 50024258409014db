import type { TestPlatform } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';

export interface NextAttempt {
  readonly webhookId: string;
  /** Counted from 1. */
  readonly number: number;
  readonly dueAt: Date;
}

/** How far before a moment the clock is set: long enough for what comes too early to be noticed. */
const LEAD_MS = 20;

/** Drives the service's clock from one due attempt to the next, with a worker running. */
export class RetryClock {
  /** The maximum of the service's clock minus the monotonic clock, from each of these moments of the latter on. */
  private readonly offsets: { readonly from: number; readonly offset: number }[] = [];

  constructor(private readonly platform: TestPlatform) {}

  /**
   * Lets each delivery make its next attempt, in the order of their times: for each the clock is set to just before.
   * @param prepare called for each before the first of them, returns how to detect that the attempt has arrived
   * @returns false when none is waiting any more
   */
  async round(prepare: (attempt: NextAttempt) => Promise<() => boolean>): Promise<boolean> {
    await eventually(() => this.isAtRest());
    const steps: (NextAttempt & { hasArrived: () => boolean })[] = [];
    for (const next of await this.waiting()) steps.push({ ...next, hasArrived: await prepare(next) });
    for (const { webhookId, number, dueAt, hasArrived } of steps) {
      await this.reach(dueAt.getTime() - LEAD_MS);
      await eventually(async () => hasArrived() && !(await this.isDue(webhookId, dueAt))).catch(() => {
        throw new Error(`Attempt ${number} for webhook ${webhookId} has not arrived.`);
      });
    }
    return steps.length > 0;
  }

  /** The time of the service's clock, a few milliseconds late at most. */
  serviceTime(monotonic: number): number {
    const { offset } = this.offsets.findLast(({ from }) => from <= monotonic)!;
    return monotonic + offset;
  }

  async begin(): Promise<void> {
    await this.note(performance.now());
  }

  private async reach(moment: number): Promise<void> {
    const from = performance.now();
    const seconds = (moment - (await this.platform.clock.now()).getTime()) / 1_000;
    if (seconds <= 0) return;
    await this.platform.advance(seconds);
    await this.note(from);
  }

  private async note(from: number): Promise<void> {
    const asked = performance.now();
    this.offsets.push({ from, offset: (await this.platform.clock.now()).getTime() - asked });
  }

  private async waiting(): Promise<NextAttempt[]> {
    return this.platform.database.query<NextAttempt>(
      `SELECT lane AS webhook_id, attempt + 1 AS number, due_at FROM platform.due_work
       WHERE kind = 'webhook_delivery' ORDER BY due_at`,
    );
  }

  /** Nobody has begun it. */
  private async isDue(webhookId: string, dueAt: Date): Promise<boolean> {
    const rows = await this.platform.database.query(
      `SELECT FROM platform.due_work
       WHERE kind = 'webhook_delivery' AND lane = $1 AND due_at = $2 AND claim IS NULL`,
      [webhookId, dueAt],
    );
    return rows.length > 0;
  }

  /** Nothing is under way. */
  private async isAtRest(): Promise<boolean> {
    const busy = await this.platform.database.query(
      `SELECT FROM platform.due_work
       WHERE kind = 'webhook_delivery' AND (claim IS NOT NULL OR due_at <= platform.now())`,
    );
    return busy.length === 0;
  }
}
