import { afterAll, beforeAll } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestPlatform } from './open-database.js';

const FILLED_WITHIN_MS = 120_000;

/** A database of its own that shows how statements read many rows. The rows are without what they refer to. */
export class PlanDatabase {
  private opened: readonly [TestPlatform, pg.Client] | undefined;

  /**
   * Registers the start and the end with Jest.
   * @param fill runs without foreign keys and triggers
   */
  constructor(fill: (client: pg.Client) => Promise<unknown>) {
    beforeAll(async () => {
      const platform = await openTestDatabase();
      const client = new pg.Client({ connectionString: platform.url });
      this.opened = [platform, client];
      await client.connect();
      await client.query('SET session_replication_role = replica');
      await fill(client);
      await client.query('SET session_replication_role = origin');
    }, FILLED_WITHIN_MS);
    afterAll(async () => {
      await this.client.end();
      await this.opened![0].close('any');
    });
  }

  get client(): pg.Client {
    return this.opened![1];
  }
}
