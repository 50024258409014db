/** Before this, an outbound transaction that waits is nothing to speak of, in seconds. */
const FIRST_AFTER = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SOON_MS = 10_000;

/** When the worker speaks of what does not go on: once for each state, and again each time that its age has doubled. */
export class SendingWarnings {
  private readonly spoken = new Map<string, { state: string; nextAge: number }>();
  private readonly balancesShownAt = new Map<string, number>();
  private readonly lookedAt = new Map<string, number>();

  /** @param state what lasts; one that begins is spoken of anew @param isUrgent whether it cannot go on by itself */
  isDue(sending: string, state: string, age: number, isUrgent: boolean): boolean {
    const before = this.spoken.get(sending);
    const isNew = before?.state !== state;
    const nextAge = isNew ? (isUrgent ? age : Math.max(FIRST_AFTER, age)) : before.nextAge;
    const isDue = age >= nextAge && (isUrgent || age >= FIRST_AFTER);
    this.spoken.set(sending, { state, nextAge: isDue ? Math.max(2 * age, FIRST_AFTER) : nextAge });
    return isDue;
  }

  forget(sending: string): void {
    this.spoken.delete(sending);
  }

  /** Once a minute, so that metrics follow an account that is emptied or sent coin. @param now real time in milliseconds */
  isLookDue(network: string, now: number): boolean {
    const looked = this.lookedAt.get(network);
    if (looked !== undefined && now - looked < MINUTE_MS) return false;
    this.lookedAt.set(network, now);
    return true;
  }

  /** In the log: once an hour. @param now real time in milliseconds */
  areBalancesDue(network: string, now: number): boolean {
    const shown = this.balancesShownAt.get(network);
    if (shown !== undefined && now - shown < HOUR_MS) return false;
    this.balancesShownAt.set(network, now);
    return true;
  }

  /** No endpoint answered with them: they are due again in a moment, not in an hour. @param now real time in milliseconds */
  balancesUnseen(network: string, now: number): void {
    this.balancesShownAt.set(network, now - HOUR_MS + SOON_MS);
  }
}
