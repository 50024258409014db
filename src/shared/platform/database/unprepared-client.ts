import pg from 'pg';

const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;

/** A connection that prepares no statement under a name: behind a pooler the next one may be another server's. */
export class UnpreparedClient extends pg.Client {
  override query = ((query: unknown, ...rest: unknown[]) =>
    send.call(this, isNamed(query) ? { ...query, name: undefined } : query, ...rest)) as pg.Client['query'];
}

/** A query object of the driver's own, like a cursor, is sent as it is. */
function isNamed(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
}
