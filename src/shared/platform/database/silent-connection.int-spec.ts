import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { isTransientDatabaseError } from './transient-error.js';

/** A way to the database that can fall silent, as after a fail-over: connections stay up and nothing arrives. */
class SilencableWay {
  private readonly sockets: Socket[] = [];
  private readonly server: Server;
  silent = false;

  constructor(target: URL) {
    this.server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.on('data', (chunk) => this.silent || far.write(chunk));
      far.on('data', (chunk) => this.silent || near.write(chunk));
      for (const socket of [near, far]) socket.on('error', () => undefined);
      this.sockets.push(near, far);
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('A connection to the database that has fallen silent', () => {
  let platform: TestPlatform;
  let way: SilencableWay;
  beforeAll(async () => void (platform = await openTestDatabase()));
  afterAll(async () => {
    way.close();
    await platform.close();
  });

  it('is given up by a unit of work after ten seconds, and the next one gets another connection', async () => {
    const url = new URL(platform.url);
    way = new SilencableWay(new URL(platform.url));
    url.port = String(await way.open());
    const dataSource = createDataSource({
      databaseUrl: url.href,
      poolSize: 2,
      applicationName: 'test',
      onPoolError: () => undefined,
    });
    await dataSource.initialize();
    const database = new Database(dataSource);
    const timers = new HeldTimers();
    let [askedBefore, isOver] = [Infinity, false];

    const failing = database
      .run(async () => {
        way.silent = true;
        askedBefore = timers.asked.length;
        return database.query('SELECT 1 AS one');
      })
      .catch((error: unknown) => error)
      .finally(() => (isOver = true));
    await timers.until(() => timers.asked.length > askedBefore);
    await timers.pass(9_999);
    const wasOver = isOver;
    await timers.pass(1);
    const failure = await failing;
    timers.release();
    way.silent = false;

    expect(isTransientDatabaseError(failure)).toBe(true);
    expect(wasOver).toBe(false);
    expect(await database.run(() => database.query('SELECT 2 AS two'))).toEqual([{ two: 2 }]);
    await dataSource.destroy();
  });
});
