import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A point in the primary's sequence of writes: a timeline and a transaction id, which orders the event log (decision
 * 1). A replica on which all transactions up to this id have ended has every write up to this point.
 */
export interface LogPosition {
  readonly timeline: number;
  readonly transaction: bigint;
}

const POSITION_PATTERN = /^([1-9]\d{0,9})-([1-9]\d{0,18})$/;

/** Parses `<timeline>-<transaction id>`; undefined if malformed. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, timeline, transaction] = POSITION_PATTERN.exec(text) ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return { timeline: Number(timeline), transaction: BigInt(transaction) };
}

export function formatPosition({ timeline, transaction }: LogPosition): string {
  return `${timeline}-${transaction}`;
}

/** A request whose reads must include the last write of the same caller. */
export interface FollowedRequest {
  /** Position of the caller's last write, in an earlier request or in this one. */
  after: LogPosition | undefined;
  /** Called after the commit of each transaction in which this request has written. */
  wrote(transaction: bigint): void;
}

const followedRequests = new AsyncLocalStorage<FollowedRequest>();

/** Makes `request` the current request during `work`, including its asynchronous parts. */
export function runAsFollowed<T>(request: FollowedRequest, work: () => T): T {
  return followedRequests.run(request, work);
}

/** Returns the current request; undefined in background work, and if no replica is configured. */
export function currentFollowedRequest(): FollowedRequest | undefined {
  return followedRequests.getStore();
}
