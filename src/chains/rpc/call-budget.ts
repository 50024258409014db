import type { CallPurpose } from './call-purpose.js';

const MOST_URGENT_FIRST: readonly CallPurpose[] = ['reading', 'confirmation', 'sending', 'check'];

interface WaitingCalls {
  readonly calls: number;
  readonly purpose: CallPurpose;
  readonly send: () => void;
}

/** Every fifth call or batch is the one that has waited longest. Otherwise checks might never be sent. */
const LONGEST_WAITING_EVERY = 5;
const WINDOW_MS = 1_000;
const RAISED_EVERY_MS = 30_000;
/** A limit that has risen so high is forgotten. */
const FORGOTTEN_ABOVE = 100;

/**
 * Sends an endpoint at most so many calls in any second, the most urgent ones first. The limit is the setting's, or
 * learned: halved when the endpoint refuses calls, and raised slowly while it does not.
 */
export class CallBudget {
  private readonly waiting: WaitingCalls[] = [];
  private readonly sentInWindow: { readonly calls: number; readonly at: number }[] = [];
  private callsInWindow = 0;
  private sent = 0;
  private limit: number;
  private limitChangedAt = -Infinity;
  private pausedUntil = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  /** @param setting calls per second; Infinity if the settings name no limit */
  constructor(private readonly setting = Infinity) {
    this.limit = setting;
  }

  /** No batch may have more calls. */
  get perSecond(): number {
    this.raiseLimit();
    return this.limit;
  }

  /** Resolves when the calls may be sent. */
  acquire(calls: number, purpose: CallPurpose): Promise<void> {
    return new Promise((send) => {
      this.waiting.push({ calls, purpose, send });
      this.sendWaiting();
    });
  }

  /** Milliseconds until the pause ends that the endpoint requested; 0 if there is none. */
  get pauseMs(): number {
    return Math.max(0, this.pausedUntil - performance.now());
  }

  recordRefusal(retryAfterMs: number | null): void {
    const now = performance.now();
    this.pausedUntil = Math.max(this.pausedUntil, now + (retryAfterMs ?? 0));
    // Calls that were sent together are refused together.
    if (now - this.limitChangedAt < WINDOW_MS) return;
    this.forgetOldCalls(now);
    this.limit = Math.max(1, Math.floor(Math.min(this.limit, this.callsInWindow) / 2));
    this.limitChangedAt = now;
  }

  private raiseLimit(): void {
    const now = performance.now();
    while (this.limit < this.setting && now - this.limitChangedAt >= RAISED_EVERY_MS) {
      this.limit += Math.ceil(this.limit / 4);
      if (this.limit > FORGOTTEN_ABOVE) this.limit = Infinity;
      this.limit = Math.min(this.limit, this.setting);
      this.limitChangedAt += RAISED_EVERY_MS;
    }
  }

  private sendWaiting(): void {
    const now = performance.now();
    this.forgetOldCalls(now);
    clearTimeout(this.timer);
    while (this.waiting.length > 0) {
      const isLongestWaiting = (this.sent + 1) % LONGEST_WAITING_EVERY === 0;
      const position = isLongestWaiting ? 0 : this.mostUrgent();
      const { calls, send } = this.waiting[position]!;
      // A batch larger than the limit is sent alone.
      const fits = this.callsInWindow === 0 || this.callsInWindow + calls <= this.perSecond;
      if (!fits || now < this.pausedUntil) return this.sendWaitingIn(now);
      this.waiting.splice(position, 1);
      this.sent += 1;
      this.callsInWindow += calls;
      this.sentInWindow.push({ calls, at: now });
      send();
    }
  }

  private sendWaitingIn(now: number): void {
    const windowEnds = (this.sentInWindow[0]?.at ?? -Infinity) + WINDOW_MS;
    this.timer = setTimeout(
      () => this.sendWaiting(),
      Math.max(1, Math.ceil(Math.max(windowEnds, this.pausedUntil) - now)),
    );
  }

  private forgetOldCalls(now: number): void {
    while (this.sentInWindow.length > 0 && now - this.sentInWindow[0]!.at >= WINDOW_MS)
      this.callsInWindow -= this.sentInWindow.shift()!.calls;
  }

  private mostUrgent(): number {
    const purpose = MOST_URGENT_FIRST.find((each) => this.waiting.some((one) => one.purpose === each));
    return this.waiting.findIndex((one) => one.purpose === purpose);
  }
}
