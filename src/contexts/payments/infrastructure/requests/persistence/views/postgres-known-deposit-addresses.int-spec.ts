import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newTenant, randomHex, StoredPayments } from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresKnownDepositAddresses } from './postgres-known-deposit-addresses.js';

let platform: TestPlatform;
let known: PostgresKnownDepositAddresses;

beforeAll(async () => {
  platform = await openTestDatabase();
  known = new PostgresKnownDepositAddresses(platform.database);
});
// Rows of requests that were never opened.
afterAll(() => platform.close('any'));

describe('The deposit addresses that settlement terms must not name', () => {
  it('are those of every network', async () => {
    const stored = new StoredPayments(platform.database);
    for (const network of ['erc20', 'polygon']) await stored.read(network, 1);
    const shown = [
      await stored.request(newTenant(), { network: 'erc20' }),
      await stored.request(newTenant(), { network: 'polygon' }),
    ];

    const answers = [...shown.map(({ address }) => address), randomHex(20)].map((each) => known.has(each));

    expect(await Promise.all(answers)).toEqual([true, true, false]);
  });
});
