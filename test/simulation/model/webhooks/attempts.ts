/** Seconds after each failed attempt until the next, give or take a fifth. */
const SCHEDULE = [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400];
const SPREAD = 0.2;
const ROUNDING = 1_000;
/** How many attempts may come too early where processes are killed in the middle of them. */
const EARLY_AT_MOST = 6;
/** How many attempts may not have reached the receiver where connections break. */
const UNSEEN_AT_MOST = 2;
/** How long a worker may be busy with others, and how long a rest may have begun before. */
const LATENESS = 180_000;

export function isWaitAfter(failed: number, wait: number): boolean {
  const planned = (SCHEDULE[failed - 1] ?? Infinity) * 1_000;
  return wait >= planned * (1 - SPREAD) - ROUNDING && wait <= planned * (1 + SPREAD) + ROUNDING;
}

export class Attempts {
  private last = -Infinity;
  private count = 0;
  private early = 0;
  private afterSuccess = 0;
  private unseen = 0;
  private isForgotten = false;
  acknowledgedAt: number | undefined;

  add(at: number, answered: number | null, isFaulty: boolean, mayReplay: boolean): string | undefined {
    const wrong = this.count === 0 ? undefined : this.judge(at, isFaulty, mayReplay);
    if (this.acknowledgedAt !== undefined && !this.isForgotten) {
      this.afterSuccess += 1;
      this.early += 1;
    }
    this.isForgotten = this.acknowledgedAt !== undefined && answered !== 200;
    if (answered === 200) this.acknowledgedAt ??= at;
    if (isFaulty) this.unseen = UNSEEN_AT_MOST;
    this.count += 1;
    this.last = at;
    return wrong;
  }

  private judge(at: number, isFaulty: boolean, mayReplay: boolean): string | undefined {
    if (mayReplay || this.count > SCHEDULE.length) return undefined;
    if (this.acknowledgedAt !== undefined && !this.isForgotten) {
      const most = isFaulty ? EARLY_AT_MOST : 0;
      return this.afterSuccess < most ? undefined : 'nothing is sent after it was acknowledged';
    }
    const recorded = this.count - this.early;
    const wait = (SCHEDULE[Math.max(0, recorded - 1)] ?? Infinity) * 1000;
    if (at - this.last >= wait * (1 - SPREAD) - 500) return undefined;
    this.early += 1;
    return this.early <= (isFaulty ? EARLY_AT_MOST : 0) ? undefined : 'retries wait as the schedule says';
  }

  hasWaitedSince(moment: number): boolean {
    return this.count > 0 && this.last < moment && this.acknowledgedAt === undefined;
  }

  isOverdue(now: number): boolean {
    const most = this.count + this.unseen;
    if (this.acknowledgedAt !== undefined || most > SCHEDULE.length) return false;
    const recorded = Math.max(1, this.count - this.early);
    const wait = Math.max(...SCHEDULE.slice(recorded - 1, most)) * 1000;
    return this.last + wait * (1 + SPREAD) + LATENESS < now;
  }

  toString(): string {
    return `${this.count} attempts, the last at ${new Date(this.last).toISOString()}`;
  }
}
