import { AsyncLocalStorage } from 'node:async_hooks';

/** A process of the service, as the seams of this one see it. */
export interface Mortal {
  readonly name: string;
  /** Nobody kills it: a task that waits for it would never end. */
  readonly isSafe: boolean;
  /** Nothing of it runs any more; what it waits for never comes. */
  isDead: boolean;
  /** Milliseconds by which its own clock is ahead. */
  clockSkew: number;
}

const storage = new AsyncLocalStorage<Mortal | undefined>();

/** The process whose code runs now; undefined outside of all. */
export function currentProcess(): Mortal | undefined {
  return storage.getStore();
}

export function within<T>(process: Mortal | undefined, work: () => T): T {
  return storage.run(process, work);
}
