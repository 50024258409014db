import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { DatabasePool, Returned, ServiceTime } from './database-pool.js';

interface Wish {
  readonly time: ServiceTime;
}

interface Return {
  readonly url: string;
  readonly except: readonly string[] | 'any';
  /** The next test of the same file uses it, with the connections that it has. */
  readonly keeps: boolean;
}

/** Lends a pool's databases by HTTP. @returns its address */
export async function offerDatabases(pool: DatabasePool): Promise<string> {
  const server = createServer((request, response) => {
    const answered =
      request.url === '/take'
        ? json(request).then((body) => pool.take((body as Wish).time))
        : json(request).then((body) => {
            const { url, except, keeps } = body as Return;
            return pool.giveBack(url, except, keeps);
          });
    answered.then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  // A connection that this end closes may just be used for another request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @returns the address of a migrated, empty database of the run's pool */
export function takeDatabase(time: ServiceTime): Promise<string> {
  return ask<string>('/take', { time } satisfies Wish);
}

/** Checks and empties a database. The caller may go on using it only if the answer says so. */
export function giveDatabaseBack(returned: Return): Promise<Returned> {
  return ask<Returned>('/give-back', returned);
}

async function ask<Answer>(path: string, body: object): Promise<Answer> {
  const pool = process.env['TEST_DATABASES_URL'];
  if (!pool) {
    throw new Error(
      'There is no test database: name the file so that a Jest project with a database runs it.',
    );
  }
  const response = await fetch(`${pool}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}
