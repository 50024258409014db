import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Scrape } from '#test/support/scrape.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { MADE_UP_EVENTS } from '#test/support/partial-worlds.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { PaymentRequestMetrics } from './payment-request-metrics.js';

let platform: TestPlatform;
let metrics: Metrics;
beforeEach(async () => {
  platform = await openTestDatabase();
  platform.makesUp(MADE_UP_EVENTS);
  metrics = new Metrics();
  new PaymentRequestMetrics(metrics, platform.eventLog);
});
afterEach(() => platform.close());

const changed = async (status: string) => ({
  type: 'payment_request.status_changed',
  aggregateId: newId<string>(),
  organizationId: newId<OrganizationId>(),
  accountId: newId<AccountId>(),
  occurredAt: await platform.clock.now(),
  data: { status, paymentRequestType: 'fixed', pointOfSaleId: newId<string>() },
});
const counted = async (status: string) =>
  new Scrape(await metrics.registry.metrics()).sum(
    'payment_collection_payment_request_status_changes_total',
    { status },
  );

describe('The metric of status changes', () => {
  it('counts committed changes only', async () => {
    const event = await changed('completed');
    await platform.database.run(async () => {
      await platform.eventLog.append([event]);
      expect(await counted('completed')).toBe(0);
    });
    await platform.database
      .run(async () => {
        await platform.eventLog.append([await changed('completed')]);
        throw new Error('undone');
      })
      .catch(() => undefined);

    expect([await counted('completed'), await counted('expired')]).toEqual([1, 0]);
  });
});
