import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';

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

export class ServiceProcess implements Mortal {
  isDead = false;
  clockSkew = 0;
  /** It has started, and takes requests or turns. */
  isUp = false;
  server: Server | undefined;
  readonly connections = new Set<{ destroy(): void }>();

  constructor(
    readonly name: string,
    readonly role: 'api' | 'worker',
    readonly isSafe = false,
  ) {}

  die(): void {
    this.isDead = true;
    this.isUp = false;
    for (const connection of this.connections) connection.destroy();
    this.connections.clear();
  }
}
