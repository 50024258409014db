import { AsyncLocalStorage } from 'node:async_hooks';

/** A timeline and a transaction id, which orders the event log (decision 1). */
export interface LogPosition {
  readonly timeline: number;
  readonly transaction: bigint;
}

const POSITION_PATTERN = /^([1-9]\d{0,9})-([1-9]\d{0,18})$/;

export function parseLogPosition(text: string): LogPosition | undefined {
  const [, timeline, transaction] = POSITION_PATTERN.exec(text) ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return { timeline: Number(timeline), transaction: BigInt(transaction) };
}

export function formatLogPosition({ timeline, transaction }: LogPosition): string {
  return `${timeline}-${transaction}`;
}

export interface ReadAfterWriteContext {
  after: LogPosition | undefined;
  wrote(transaction: bigint): void;
}

const followedRequests = new AsyncLocalStorage<ReadAfterWriteContext>();

export function runInReadAfterWriteContext<T>(request: ReadAfterWriteContext, work: () => T): T {
  return followedRequests.run(request, work);
}

export function currentReadAfterWriteContext(): ReadAfterWriteContext | undefined {
  return followedRequests.getStore();
}
