import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A position in the writes of the primary: a transaction id, which orders the event log (decision 1), on a timeline of the
 * server. A replica on which all transactions up to this one have ended shows every write up to the position.
 */
export interface LogPosition {
  readonly timeline: number;
  readonly transaction: bigint;
}

const WRITTEN = /^([1-9]\d{0,9})-([1-9]\d{0,18})$/;

/** Parses `<timeline>-<transaction id>`; undefined if the text has another form. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, timeline, transaction] = WRITTEN.exec(text) ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return { timeline: Number(timeline), transaction: BigInt(transaction) };
}

export function writePosition({ timeline, transaction }: LogPosition): string {
  return `${timeline}-${transaction}`;
}

/** A request whose reads include the caller's last write. */
export interface FollowedRequest {
  /** The caller's last write: from the request, or the request's own. */
  after: LogPosition | undefined;
  /** Called after the commit of each transaction in which this request wrote. */
  wrote(transaction: bigint): void;
}

const requests = new AsyncLocalStorage<FollowedRequest>();

/** Runs `work`, including all that it starts, as part of this request. */
export function followRequest<T>(request: FollowedRequest, work: () => T): T {
  return requests.run(request, work);
}

/** The request that this code serves; undefined in background work, and if no replica is configured. */
export function followedRequest(): FollowedRequest | undefined {
  return requests.getStore();
}
