import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

describe('The event log', () => {
  it.each([
    'UPDATE platform.events SET type = type',
    'DELETE FROM platform.events',
    'TRUNCATE platform.events CASCADE',
  ])('is append-only: it refuses %s', async (statement) => {
    await platform.database.run(() =>
      platform.eventLog.append([
        {
          type: 'noted',
          aggregateId: '01a1fd54-6e88-7214-b346-971e883fab2e',
          organizationId: '01a1fd54-6e88-7214-b346-971e883fab2e' as never,
          accountId: '01a1fd54-6e88-7214-b346-971e883fab2e' as never,
          occurredAt: new Date(),
          data: {},
        },
      ]),
    );

    await expect(platform.database.query(statement)).rejects.toThrow('append-only');
  });
});
