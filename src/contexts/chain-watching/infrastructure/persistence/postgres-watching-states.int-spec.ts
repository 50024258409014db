import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { Database } from '#shared/platform/database/database.js';
import { PostgresWatchingStates } from './postgres-watching-states.js';

class CountingDatabase extends Database {
  statements = 0;

  override query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}

const DAY_MS = 86_400_000;

let payments: Payments;
let database: CountingDatabase;
let states: PostgresWatchingStates;
beforeEach(async () => {
  payments = await openPayments();
  // As where no worker has run.
  await payments.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
  database = new CountingDatabase(payments.platform.dataSource);
  states = new PostgresWatchingStates(database);
});
afterEach(() => payments.close());

describe('The state of watching', () => {
  it('is read by one statement, whose result concurrent callers share until it is outdated', async () => {
    await Promise.all([
      states.currentState(DAY_MS),
      states.currentState(DAY_MS),
      states.currentState(DAY_MS),
    ]);
    await states.currentState(DAY_MS);
    expect(database.statements).toBe(1);

    await states.currentState(0);
    expect(database.statements).toBe(2);
    // As after a failover, every process forgets what it has read.
    database.identity.resumeWriting();
    await states.currentState(DAY_MS);
    expect(database.statements).toBe(3);
  });

  it('shows how far a network is behind, by the clock of the service', async () => {
    await payments.follow();
    const before = await states.currentState(0);
    await payments.platform.advance(1_000);
    const after = await states.currentState(0);

    const [network] = after.networks;
    expect(network).toMatchObject({ network: NETWORK, headNumber: 0, secondsInDisagreement: null });
    expect(network!.secondsBehind - before.networks[0]!.secondsBehind).toBeCloseTo(1_000, -1);
    expect(network!.isWatched).toBe(network!.maxLagSeconds === null || network!.maxLagSeconds > 1_000);
  });

  it('shows the age of mempool reads, only for networks with a mempool', async () => {
    await payments.follow();
    const [without] = (await states.currentState(0)).networks;
    await database.query(
      `UPDATE payments.chain_cursors SET pending_read_at = platform.now() - interval '900 s'`,
    );
    const [of] = (await states.currentState(0)).networks;

    expect([without!.secondsSincePending, of!.secondsSincePending]).toEqual([null, expect.closeTo(900, -1)]);
  });

  it('dates the last iteration by the latest lease, even after its release', async () => {
    const holder = newId();
    await payments.leases.acquire('watcher of a test', holder);
    expect((await states.currentState(0)).secondsSinceTurn).toBeLessThan(2);

    await database.query(
      `UPDATE platform.leases SET expires_at = clock_timestamp() - interval '54 seconds' WHERE holder = $1`,
      [holder],
    );
    expect((await new PostgresWatchingStates(database).currentState(0)).secondsSinceTurn).toBeCloseTo(60, 0);

    await payments.leases.release('watcher of a test', holder);
    expect((await new PostgresWatchingStates(database).currentState(0)).secondsSinceTurn).toBeNull();
    const seen = (await states.currentState(0)).secondsSinceTurn;
    expect(seen).not.toBeNull();
    expect(seen).toBeLessThan(30);
  });

  it('fails while the database does not respond, without repeated queries', async () => {
    let asked = 0;
    database.query = () => ((asked += 1), Promise.reject(new Error('gone')));

    await expect(states.currentState(DAY_MS)).rejects.toThrow('gone');
    await expect(states.currentState(DAY_MS)).rejects.toThrow('gone');
    expect(asked).toBe(1);
  });
});
