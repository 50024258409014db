import type { Server } from 'node:http';
import type { Mortal } from './current-process.js';

/** One process of the service: an API or a worker, as the simulation starts, kills and calls it. */
export class ServiceProcess implements Mortal {
  isDead = false;
  clockSkew = 0;
  /** It has started, and takes requests or turns. */
  isUp = false;
  /** The HTTP server of an API, once it listens. */
  server: Server | undefined;
  /** Callers' connections, which break when it dies. */
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
