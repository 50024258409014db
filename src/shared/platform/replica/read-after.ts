import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A position in what the primary has written: a transaction id, the order of the event log (decision 1), on a timeline of
 * the server. A replica on which all transactions up to this one have ended shows all that was written until then.
 */
export interface LogPosition {
  readonly timeline: number;
  readonly transaction: bigint;
}

const WRITTEN = /^([1-9]\d{0,9})-([1-9]\d{0,18})$/;

/** Reads `<timeline>-<transaction id>`; undefined where the text has another form. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, timeline, transaction] = WRITTEN.exec(text) ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return { timeline: Number(timeline), transaction: BigInt(transaction) };
}

export function writePosition({ timeline, transaction }: LogPosition): string {
  return `${timeline}-${transaction}`;
}

/** A request whose reads and writes are followed, so that its caller never reads what is older than their last write. */
export interface FollowedRequest {
  /** The caller's last write: the one they name, or that of this request itself. */
  after: LogPosition | undefined;
  /** Called after the commit of each transaction in which this request has written. */
  wrote(transaction: bigint): void;
}

const requests = new AsyncLocalStorage<FollowedRequest>();

/** Runs `work`, and all it starts, as part of this request. */
export function followRequest<T>(request: FollowedRequest, work: () => T): T {
  return requests.run(request, work);
}

/** The request that this code serves; undefined in the background, and wherever no replica is set. */
export function followedRequest(): FollowedRequest | undefined {
  return requests.getStore();
}
