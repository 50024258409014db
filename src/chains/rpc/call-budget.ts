import type { CallPurpose } from './call-purpose.js';

const MOST_URGENT_FIRST: readonly CallPurpose[] = ['reading', 'confirmation', 'sending', 'check'];

interface WaitingCalls {
  readonly calls: number;
  readonly purpose: CallPurpose;
  readonly send: () => void;
}

/** Every fifth call or batch is the one that has waited longest. Otherwise checks might never be sent. */
const LONGEST_WAITING_EVERY = 5;

/** Spreads calls to an endpoint over time, the most urgent ones first. */
export class CallBudget {
  private readonly waiting: WaitingCalls[] = [];
  /** Below zero after a batch of more calls than were left. */
  private left: number;
  private sent = 0;
  private countedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  /** @param perSecond also the largest number of calls that can be sent together after a pause */
  constructor(readonly perSecond: number) {
    this.left = perSecond;
  }

  /** Resolves when the calls may be sent. */
  acquire(calls: number, purpose: CallPurpose): Promise<void> {
    return new Promise((send) => {
      this.waiting.push({ calls, purpose, send });
      this.sendWaiting();
    });
  }

  private sendWaiting(): void {
    const now = performance.now();
    this.left = Math.min(this.perSecond, this.left + ((now - this.countedAt) / 1_000) * this.perSecond);
    this.countedAt = now;
    while (this.left >= 1 && this.waiting.length > 0) {
      this.sent += 1;
      const next = this.sent % LONGEST_WAITING_EVERY === 0 ? this.waiting.shift()! : this.takeMostUrgent();
      this.left -= next.calls;
      next.send();
    }
    clearTimeout(this.timer);
    if (this.waiting.length === 0) return;
    this.timer = setTimeout(() => this.sendWaiting(), Math.ceil(((1 - this.left) / this.perSecond) * 1_000));
  }

  private takeMostUrgent(): WaitingCalls {
    const purpose = MOST_URGENT_FIRST.find((each) => this.waiting.some((one) => one.purpose === each));
    const [next] = this.waiting.splice(
      this.waiting.findIndex((one) => one.purpose === purpose),
      1,
    );
    return next!;
  }
}
