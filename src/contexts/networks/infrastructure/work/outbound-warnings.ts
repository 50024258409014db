const FIRST_WARNING_AFTER_SECONDS = 60;
const LOOK_INTERVAL_MS = 180_000;
const HOUR_MS = 3_600_000;
const BALANCE_RETRY_MS = 10_000;

/**
 * Decides when the worker warns about stalled outbound transactions: once per state, and again each time the age has
 * doubled.
 */
export class OutboundWarnings {
  private readonly spoken = new Map<string, { state: string; nextAge: number }>();
  private readonly balancesShownAt = new Map<string, number>();
  private readonly lookedAt = new Map<string, number>();

  isDue(sending: string, state: string, age: number, isUrgent: boolean): boolean {
    const before = this.spoken.get(sending);
    const isNew = before?.state !== state;
    const nextAge = isNew ? (isUrgent ? age : Math.max(FIRST_WARNING_AFTER_SECONDS, age)) : before.nextAge;
    const isDue = age >= nextAge && (isUrgent || age >= FIRST_WARNING_AFTER_SECONDS);
    this.spoken.set(sending, {
      state,
      nextAge: isDue ? Math.max(2 * age, FIRST_WARNING_AFTER_SECONDS) : nextAge,
    });
    return isDue;
  }

  forget(sending: string): void {
    this.spoken.delete(sending);
  }

  /** True every three minutes, when balances are read for the metrics. */
  isBalanceReadDue(network: string, now: number): boolean {
    const looked = this.lookedAt.get(network);
    if (looked !== undefined && now - looked < LOOK_INTERVAL_MS) return false;
    this.lookedAt.set(network, now);
    return true;
  }

  /** True once an hour, when balances are logged. */
  isBalanceLogDue(network: string, now: number): boolean {
    const shown = this.balancesShownAt.get(network);
    if (shown !== undefined && now - shown < HOUR_MS) return false;
    this.balancesShownAt.set(network, now);
    return true;
  }

  /** Without an answer, balances are read again in a few seconds instead of an hour. */
  retryBalanceLogSoon(network: string, now: number): void {
    this.balancesShownAt.set(network, now - HOUR_MS + BALANCE_RETRY_MS);
  }
}
