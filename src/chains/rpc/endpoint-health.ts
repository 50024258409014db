import { MAX_BEHIND } from '#contexts/networks/domain/endpoint.js';
import { type EndpointFailure, isLimit } from './rpc-failures.js';

export const ENDPOINT_STATES = ['well', 'backing_off', 'lagging', 'foreign', 'unproven'] as const;

/** How an endpoint fares. `unproven`: not yet shown to serve the network's chain. */
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Far more than the time between blocks of chains that make one every few seconds. */
const STANDS_STILL_AFTER_MS = 60_000;
/** However long a `Retry-After` is, the limit may have been lifted earlier. */
const MAX_RATE_LIMIT_MS = 300_000;
/** Limits are of calls a second: whoever waits longer for one that names no time falls behind for nothing. */
const LIMIT_PAUSE_MS = 2_000;
/** A failure is forgotten when it lies so many times as far back as the pause that it caused. */
const FORGOTTEN_AFTER_PAUSES = 4;
/** Time for three tries with their pauses: one answer that is late or broken does not make an endpoint away. */
const AWAY_AFTER_MS = 3_000;
/** Time to start, and to be asked twice which chain it serves. */
const PROVEN_WITHIN_MS = 15_000;
/** An endpoint that answers nothing but its head, however rarely it is asked for more, has not recovered before that. */
const BACK_AFTER_MS = 300_000;

/** The health of one endpoint, as this process saw it. Milliseconds of any one clock that never goes back. */
export class EndpointHealth {
  head: number | null = null;
  /** Why it is not well; of one that is, why it last was not. */
  reason: string | null = null;
  since: Date;
  /** The time is that of `since`, but a pause for a limit of calls is no change: whoever limits them is the node that it was. */
  changedAt: Date;
  private isLimited = false;
  private highest = -1;
  private grewAt = -Infinity;
  private behind = 0;
  private failures = 0;
  private failedAt = 0;
  /** When it first failed since it last answered the contents of blocks. */
  private failingSince: number | null = null;
  private pauseMs = 0;
  private notBefore: number | null = null;
  private identity: 'proven' | 'unproven' | 'foreign';
  private lastState: EndpointState;

  constructor(
    proven: boolean,
    private readonly backOffMs: readonly [first: number, most: number],
    private readonly chance: () => number,
    private readonly bornAt: number,
    private readonly standsStillAfterMs = STANDS_STILL_AFTER_MS,
  ) {
    this.identity = proven ? 'proven' : 'unproven';
    this.lastState = this.state;
    this.since = new Date();
    this.changedAt = this.since;
  }

  get state(): EndpointState {
    if (this.identity !== 'proven') return this.identity;
    if (this.notBefore !== null) return 'backing_off';
    return this.behind > MAX_BEHIND ? 'lagging' : 'well';
  }

  /** Serves the network's chain, and has not failed since but for a limit of calls. */
  get isUsed(): boolean {
    return this.identity === 'proven' && (this.notBefore === null || this.isLimited);
  }

  /** May be asked: it is of the right chain, and its pause is over. */
  mayBeAsked(now: number): boolean {
    return this.identity === 'proven' && (this.notBefore === null || now >= this.notBefore);
  }

  /** When its pause ends; in the past for all that have none. */
  get due(): number {
    return this.notBefore ?? 0;
  }

  prove(foreign: string | null): void {
    this.identity = foreign === null ? 'proven' : 'foreign';
    this.changed(foreign);
  }

  answered(now: number): void {
    if (this.notBefore !== null && now < this.notBefore) return;
    this.notBefore = null;
    const quietMs = now - this.failedAt;
    if (quietMs > FORGOTTEN_AFTER_PAUSES * this.pauseMs) this.failures = 0;
    if (quietMs > BACK_AFTER_MS) this.failingSince = null;
    this.changed();
    this.isLimited = false;
  }

  /** It answered the contents of blocks, not its head alone: its earlier failures count no more. */
  served(now: number): void {
    if (this.notBefore !== null && now < this.notBefore) return;
    this.failures = 0;
    this.failingSince = null;
  }

  /** Several at once count as one. */
  failed(now: number, failure: EndpointFailure): void {
    const { retryAfterMs, reason } = failure;
    const limits = isLimit(failure);
    const pausing = this.notBefore !== null && now < this.notBefore;
    const wasLimited = this.isLimited;
    this.isLimited = limits && (this.notBefore === null || wasLimited);
    if (!pausing) {
      const [first, most] = this.backOffMs;
      const longest = Math.min(limits ? LIMIT_PAUSE_MS : most, first * 2 ** this.failures);
      // Spread, so that processes that failed together do not come back together.
      this.pauseMs = longest * (0.5 + this.chance() / 2);
      this.failures += 1;
      this.failedAt = now;
      this.notBefore = now + this.pauseMs;
    }
    this.failingSince ??= now;
    if (limits) {
      const asked = Math.min(retryAfterMs ?? 0, MAX_RATE_LIMIT_MS);
      this.notBefore = Math.max(this.notBefore ?? 0, now + asked);
    }
    this.changed(reason);
    // It failed otherwise within the pause for a limit.
    if (wasLimited && !limits) this.changedAt = new Date();
  }

  /** True where it still follows a chain, however far behind: its head grew, or was first seen, not long ago. */
  isFollowing(now: number): boolean {
    return now - this.grewAt <= this.standsStillAfterMs;
  }

  /** True where it has failed for so long that others go on without it; not merely for the moment. */
  isAway(now: number): boolean {
    if (this.identity === 'foreign') return true;
    if (this.identity === 'unproven') return now - this.bornAt >= PROVEN_WITHIN_MS;
    if (this.state === 'lagging' && !this.isFollowing(now)) return true;
    return this.failingSince !== null && now - this.failingSince >= AWAY_AFTER_MS;
  }

  /** @param best newest head that others showed before */
  sawHead(now: number, head: number, best: number): void {
    // Replicas that stand still at different heights behind one address seem to go up and down for ever.
    if (head > this.highest) [this.highest, this.grewAt] = [head, now];
    this.head = head;
    this.behind = Math.max(0, best - head);
    this.changed(this.behind > MAX_BEHIND ? `it is ${this.behind} blocks behind.` : undefined);
  }

  private changed(reason?: string | null): void {
    if (reason != null) this.reason = reason;
    if (this.state === this.lastState) return;
    this.lastState = this.state;
    this.since = new Date();
    if (!this.isLimited) this.changedAt = this.since;
  }
}
