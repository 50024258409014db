import pg from 'pg';
import type { DatabaseIdentity } from './database-identity.js';
import type { WritableHostFinder } from './writable-host-finder.js';

type SendQuery = (this: pg.Client, ...args: unknown[]) => unknown;
type ClientCallback = (error: Error | null, result?: unknown) => void;

const sendQuery = pg.Client.prototype.query as SendQuery;
const connectClient = pg.Client.prototype.connect as (this: pg.Client, callback: ClientCallback) => void;

const READ_ONLY_STATE = '25006';

/** The commit may be lost after a failover. */
export class CommitNotReplicated extends Error {
  override readonly name = 'CommitNotReplicated';
  readonly code = '08007';

  constructor() {
    super('A commit was cancelled while it waited for its synchronous replica, so its outcome is not known.');
  }
}

export class StaleConnectionError extends Error {
  override readonly name = 'ConnectionLeftBehind';
  readonly code = '08003';

  constructor() {
    super('The connection leads to a server on an earlier timeline.');
  }
}

interface ServiceClientOptions {
  readonly hosts?: WritableHostFinder;
  readonly identity?: DatabaseIdentity;
  readonly prepares: boolean;
}

/**
 * Differences from pg's own class: connects to the currently writable host, ends if its server becomes read-only or
 * is left behind by a promotion, and reports an unconfirmed commit as an error (PostgreSQL only warns). `prepares` is
 * false behind a pooler, because the next statement may run on another server.
 */
export function createPostgresClientClass({
  hosts,
  identity,
  prepares,
}: ServiceClientOptions): new () => pg.Client {
  return class ServiceClient extends pg.Client {
    private isUnreplicated = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('notice', ({ routine }) => (this.isUnreplicated ||= routine === 'SyncRepWaitForLSN'));
      // An error without a listener would end the process. The pool drops a failed connection.
      this.on('error', () => undefined);
    }

    override connect = ((callback: ClientCallback) => {
      Promise.resolve(hosts?.find() ?? null).then(
        (host) => {
          if (host !== null) Object.assign(this, host);
          connectClient.call(this, (error, result) => {
            if (error) hosts?.forgetHost();
            callback(error, result);
          });
        },
        (error: Error) => callback(error),
      );
    }) as pg.Client['connect'];

    override query = ((query: unknown, ...rest: unknown[]) => {
      if (typeof query === 'object' && query !== null && 'submit' in query)
        return sendQuery.call(this, query, ...rest);
      const statement = !prepares && isNamed(query) ? { ...query, name: undefined } : query;
      const callback = rest.at(-1);
      if (identity?.isStaleConnection(this) === true) return this.refused(callback);
      if (typeof callback !== 'function') return this.settled(sendQuery.call(this, statement, ...rest));
      const withFailure: ClientCallback = (error, result) => {
        const failure = this.failureOf(error);
        (callback as ClientCallback)(failure, failure === null ? result : undefined);
      };
      return sendQuery.call(this, statement, ...rest.slice(0, -1), withFailure);
    }) as pg.Client['query'];

    private refused(callback: unknown): Promise<never> | undefined {
      this.end().catch(() => undefined);
      const error = new StaleConnectionError();
      if (typeof callback !== 'function') return Promise.reject(error);
      process.nextTick(callback as ClientCallback, error);
      return undefined;
    }

    private async settled(answer: unknown): Promise<unknown> {
      try {
        const result = await answer;
        const failure = this.failureOf(null);
        if (failure !== null) throw failure;
        return result;
      } catch (error) {
        throw this.failureOf(error as Error);
      }
    }

    private failureOf(error: Error | null): Error | null {
      if (this.isUnreplicated) {
        this.isUnreplicated = false;
        return new CommitNotReplicated();
      }
      if ((error as { code?: unknown } | null)?.code === READ_ONLY_STATE) {
        hosts?.forgetHost();
        this.end().catch(() => undefined);
      }
      return error ?? null;
    }
  };
}

function isNamed(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query;
}
