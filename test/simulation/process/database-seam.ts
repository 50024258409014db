import type pg from 'pg';
import { DataSource } from 'typeorm';
import { currentProcess, type Mortal } from './current-process.js';
import type { Pump, Step } from './pump.js';
import type { SimulatedDatabase } from './simulated-database.js';

type Send = (...values: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;
type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

export interface StatementStep extends Step {
  readonly client: pg.Client;
  /** Sends another statement in its place, on its connection. */
  instead(text: string): Promise<unknown>;
}

const pools = new Map<Mortal, DataSource>();

/** How many connections each living process has, of which so many are idle, and how many statements wait for one. */
export function connectionsInUse(): string {
  return [...pools]
    .filter(([{ isDead }]) => !isDead)
    .map(([{ name }, { driver }]) => {
      const { totalCount, idleCount, waitingCount } = (driver as unknown as { master: pg.Pool }).master;
      return `${name}: ${totalCount} connections, ${idleCount} idle, ${waitingCount} waiting`;
    })
    .join('; ');
}

/** Every statement of a process passes the pump, by a subclass of its connections. Production has no such class. */
export function seamDatabases(pump: Pump, database: SimulatedDatabase): void {
  const initialize = DataSource.prototype.initialize;
  DataSource.prototype.initialize = function (this: DataSource) {
    const process = currentProcess();
    const { extra } = this.options as { extra?: Record<string, unknown> };
    if (process !== undefined && extra !== undefined) {
      extra['Client'] = throughPump(extra['Client'] as ClientClass, process, pump, database);
      // Real time may pass at will between two statements of a transaction.
      for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'])
        extra[limit] = 0;
      extra['idleTimeoutMillis'] = 0;
      extra['connectionTimeoutMillis'] = 0;
    }
    const opened = initialize.call(this);
    if (process !== undefined) pools.set(process, this);
    return opened;
  };
}

function throughPump(
  Client: ClientClass,
  process: Mortal,
  pump: Pump,
  database: SimulatedDatabase,
): ClientClass {
  return class SeamedClient extends Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      database.opened(process, this);
      const connect = this.connect.bind(this) as (done: (error?: unknown) => void) => void;
      this.connect = ((done: (error?: unknown) => void) => {
        const perform = () =>
          new Promise<void>((resolve, reject) => {
            connect((error) => (error ? reject(error as Error) : resolve()));
          });
        pump.pass<void>({ process, what: 'connect', perform }).then(() => done(), done);
      }) as pg.Client['connect'];
      const send = this.query as unknown as Send;
      this.query = ((query: string | { text?: string; submit?: unknown }, ...rest: unknown[]) => {
        if (typeof query === 'object' && query.submit !== undefined) return send(query, ...rest);
        const done = typeof rest.at(-1) === 'function' ? (rest.pop() as Callback) : undefined;
        const step: StatementStep = {
          process,
          client: this,
          what: (typeof query === 'string' ? query : query.text) ?? '',
          perform: () => send(query, ...rest) as Promise<unknown>,
          instead: (text) => send(text) as Promise<unknown>,
          isBlocked: () => database.isBlocked(this),
        };
        const passed = pump.pass<unknown>(step);
        if (done === undefined) return passed;
        passed.then(
          (result) => done(null, result),
          (error: unknown) => done(error),
        );
        return undefined;
      }) as pg.Client['query'];
    }
  };
}
