import { MAX_BLOCKS_BEHIND } from '#contexts/networks/domain/endpoint.js';
import { type EndpointFailure, isLimitFailure } from './rpc-failures.js';

export const ENDPOINT_STATES = ['well', 'backing_off', 'lagging', 'foreign', 'unproven'] as const;

/** `unproven`: the endpoint has not yet proven that it serves the network's chain. */
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Far more than the block interval of chains with a block every few seconds. */
const HEAD_STALLED_AFTER_MS = 60_000;
/** Maximum pause for a `Retry-After`, because the limit may be lifted earlier. */
const MAX_RATE_LIMIT_MS = 300_000;
/** Limits usually count calls per second, so a longer pause would only make the watcher fall behind. */
const RATE_LIMIT_PAUSE_MS = 2_000;
const FAILURES_FORGOTTEN_AFTER_PAUSES = 4;
/** Allows for three attempts with their pauses, so that a single late or broken answer is not enough. */
const AWAY_AFTER_MS = 3_000;
/**
 * Time after the start within which endpoints should prove their chain: enough to start and to query the chain twice.
 */
const PROVEN_WITHIN_MS = 15_000;
/** An endpoint that answers only queries for its head counts as recovered after this time without a failure. */
const RECOVERED_AFTER_MS = 300_000;

/** Times are milliseconds of any monotonic clock. */
export class EndpointHealth {
  head: number | null = null;
  headSeenAt = -Infinity;
  reason: string | null = null;
  since: Date;
  /**
   * Unlike `since`, unaffected by a pause for a rate limit, because the node behind the endpoint is still the same.
   */
  changedAt: Date;
  private isLimited = false;
  private highest = -1;
  private grewAt = -Infinity;
  private behind = 0;
  private failures = 0;
  private failedAt = 0;
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
    private readonly standsStillAfterMs = HEAD_STALLED_AFTER_MS,
  ) {
    this.identity = proven ? 'proven' : 'unproven';
    this.lastState = this.state;
    this.since = new Date();
    this.changedAt = this.since;
  }

  get state(): EndpointState {
    if (this.identity !== 'proven') return this.identity;
    if (this.notBefore !== null) return 'backing_off';
    return this.behind > MAX_BLOCKS_BEHIND ? 'lagging' : 'well';
  }

  get isUsed(): boolean {
    return this.identity === 'proven' && (this.notBefore === null || this.isLimited);
  }

  isCallAllowed(now: number): boolean {
    return this.identity === 'proven' && (this.notBefore === null || now >= this.notBefore);
  }

  /** In the past if there is no pause. */
  get due(): number {
    return this.notBefore ?? 0;
  }

  recordVerification(foreign: string | null): void {
    this.identity = foreign === null ? 'proven' : 'foreign';
    this.changed(foreign);
  }

  recordAnswer(now: number): void {
    if (this.notBefore !== null && now < this.notBefore) return;
    this.notBefore = null;
    const quietMs = now - this.failedAt;
    if (quietMs > FAILURES_FORGOTTEN_AFTER_PAUSES * this.pauseMs) this.failures = 0;
    if (quietMs > RECOVERED_AFTER_MS) this.failingSince = null;
    this.changed();
    this.isLimited = false;
  }

  /** Records that the endpoint returned block contents, not only its head. */
  recordContentsServed(now: number): void {
    if (this.notBefore !== null && now < this.notBefore) return;
    this.failures = 0;
    this.failingSince = null;
  }

  /** Concurrent failures count as one. */
  recordFailure(now: number, failure: EndpointFailure): void {
    const { retryAfterMs, reason } = failure;
    const limits = isLimitFailure(failure);
    const pausing = this.notBefore !== null && now < this.notBefore;
    const wasLimited = this.isLimited;
    this.isLimited = limits && (this.notBefore === null || wasLimited);
    if (!pausing) {
      const [first, most] = this.backOffMs;
      const longest = Math.min(limits ? RATE_LIMIT_PAUSE_MS : most, first * 2 ** this.failures);
      // Randomizes the pause, so that processes that failed together do not retry together.
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
    if (wasLimited && !limits) this.changedAt = new Date();
  }

  isHeadAdvancing(now: number): boolean {
    return now - this.grewAt <= this.standsStillAfterMs;
  }

  /** True if the endpoint has failed for so long that other endpoints are used without waiting for it. */
  isUnavailableForLong(now: number): boolean {
    if (this.identity === 'foreign') return true;
    if (this.identity === 'unproven') return now - this.bornAt >= PROVEN_WITHIN_MS;
    if (this.state === 'lagging' && !this.isHeadAdvancing(now)) return true;
    return this.failingSince !== null && now - this.failingSince >= AWAY_AFTER_MS;
  }

  recordHead(now: number, head: number, best: number): void {
    // Stalled replicas at different heights behind one address would otherwise seem to advance repeatedly.
    if (head > this.highest) [this.highest, this.grewAt] = [head, now];
    [this.head, this.headSeenAt] = [head, now];
    this.behind = Math.max(0, best - head);
    this.changed(this.behind > MAX_BLOCKS_BEHIND ? `it is ${this.behind} blocks behind.` : undefined);
  }

  private changed(reason?: string | null): void {
    if (reason != null) this.reason = reason;
    if (this.state === this.lastState) return;
    this.lastState = this.state;
    this.since = new Date();
    if (!this.isLimited) this.changedAt = this.since;
  }
}
