import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`, and all it starts, as part of the HTTP request with this id. */
export function runWithRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** The id of the HTTP request this code serves; undefined in background work. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
