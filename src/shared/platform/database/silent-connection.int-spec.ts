import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { HeldTimers } from '#test/support/held-timers.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { isTransientDatabaseError } from './transient-error.js';

/**
 * A proxy before the database. It can drop all traffic, as after a failover, or hold the database's answers and deliver
 * them together.
 */
class SilentProxy {
  private readonly sockets: Socket[] = [];
  private readonly server: Server;
  silent = false;
  private held: Buffer[] | null = null;
  private deliver: () => void = () => undefined;
  ended = false;

  constructor(target: URL) {
    this.server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.on('data', (chunk) => this.silent || far.write(chunk));
      far.on('data', (chunk: Buffer) => {
        if (this.held !== null) this.held.push(chunk);
        else if (!this.silent) near.write(chunk);
      });
      far.on('end', () => (this.ended = true));
      this.deliver = () => void near.write(Buffer.concat(this.held!.splice(0)));
      for (const socket of [near, far]) socket.on('error', () => undefined);
      this.sockets.push(near, far);
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  hold(): void {
    [this.held, this.ended] = [[], false];
  }

  get isHolding(): boolean {
    return this.held !== null && this.held.length > 0;
  }

  deliverHeld(): void {
    this.deliver();
    this.held = null;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('A silent database connection', () => {
  let platform: TestPlatform;
  let way: SilentProxy;
  afterEach(() => way.close());
  beforeAll(async () => void (platform = await openTestDatabase()));
  afterAll(() => platform.close());

  async function openOn(poolSize: number) {
    const url = new URL(platform.url);
    way = new SilentProxy(new URL(platform.url));
    url.port = String(await way.open());
    url.search = '';
    const dataSource = createDataSource({
      databaseUrl: url.href,
      poolSize,
      applicationName: 'test',
      onPoolError: () => undefined,
    });
    return dataSource.initialize();
  }

  it('fails a unit of work after ten seconds, and the next one receives another connection', async () => {
    const dataSource = await openOn(2);
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

  it('fails a unit of work that receives the connection at the moment when it is lost', async () => {
    const dataSource = await openOn(1);
    const database = new Database(dataSource);
    const [own] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    way.hold();

    const answered = database.query('SELECT 1 AS one');
    const waiting = database.run(() => database.query('SELECT 2 AS two')).catch((error: unknown) => error);
    await eventually(async () => way.isHolding);
    await platform.database.query('SELECT pg_terminate_backend($1)', [own!.pid]);
    await eventually(async () => way.ended);
    way.deliverHeld();

    expect(await answered).toEqual([{ one: 1 }]);
    expect(isTransientDatabaseError(await waiting)).toBe(true);
    expect(await database.run(() => database.query('SELECT 3 AS three'))).toEqual([{ three: 3 }]);
    await dataSource.destroy();
  });
});
