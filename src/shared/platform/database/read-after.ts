import { AsyncLocalStorage } from 'node:async_hooks';

/** A timeline and a transaction id, which orders the event log (decision 1). */
export interface WritePosition {
  readonly timeline: number;
  readonly transaction: bigint;
}

const POSITION_PATTERN = /^([1-9]\d{0,9})-([1-9]\d{0,18})$/;

export function parseWritePosition(text: string): WritePosition | undefined {
  const [, timeline, transaction] = POSITION_PATTERN.exec(text) ?? [];
  if (timeline === undefined || transaction === undefined) return undefined;
  return { timeline: Number(timeline), transaction: BigInt(transaction) };
}

export function formatWritePosition({ timeline, transaction }: WritePosition): string {
  return `${timeline}-${transaction}`;
}

export interface ReadAfterWriteContext {
  after: WritePosition | undefined;
  wrote(transaction: bigint): void;
}

const followedRequests = new AsyncLocalStorage<ReadAfterWriteContext>();

export function runInReadAfterWriteContext<T>(request: ReadAfterWriteContext, work: () => T): T {
  return followedRequests.run(request, work);
}

export function currentReadAfterWriteContext(): ReadAfterWriteContext | undefined {
  return followedRequests.getStore();
}
