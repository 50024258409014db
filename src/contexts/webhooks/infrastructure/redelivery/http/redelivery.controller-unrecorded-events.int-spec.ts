import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { startWebhookApi, type Answer, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const FROM = '2000-01-01T00:00:00Z';
const TO = '2999-01-01T00:00:00Z';

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
let webhook: string;

beforeEach(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform);
  fixture = webhooksFixture(platform);
  webhook = (await api.register('http://127.0.0.1:9/hooks')).id;
  await fixture.happen(statusChanged(api.home));
});
afterEach(async () => {
  await api.close();
  await platform.close();
});

const replay = (dry_run: boolean, to = TO): Promise<Answer> =>
  api.call('POST', `/${webhook}/replay`, { from: FROM, to, dry_run });
/** An event of this moment that nobody has read yet. @returns its time */
async function appendUnread(): Promise<string> {
  const occurredAt = await platform.clock.now();
  await platform.database.run(() => platform.eventLog.append([{ ...statusChanged(api.home), occurredAt }]));
  return occurredAt.toISOString();
}
const catchUp = () => fixture.happen();

describe.each([
  ['Replaying', false],
  ['Counting what would be replayed', true],
])('%s', (_, dryRun) => {
  it('waits until the events of its time are in the log', async () => {
    await appendUnread();
    await platform.advance(11);

    const behind = await replay(dryRun);
    await catchUp();
    const caughtUp = await replay(dryRun);

    expect(behind).toMatchObject({ httpStatus: 503, code: 'unavailable' });
    expect(behind.message).toContain('Try again in a minute.');
    expect(caughtUp).toMatchObject({ httpStatus: 200, data: { deliveries: 2 } });
  });

  it('does so where nothing has ever been recorded', async () => {
    await fixture.rows(`DELETE FROM platform.subscriber_positions WHERE subscriber = 'merchant_events'`);
    await platform.advance(11);

    const before = await replay(dryRun);
    await catchUp();

    expect(before).toMatchObject({ httpStatus: 503, code: 'unavailable' });
    expect(await replay(dryRun)).toMatchObject({ httpStatus: 200, data: { deliveries: 1 } });
  });

  it('is not hindered by what happened just now', async () => {
    await appendUnread();

    expect(await replay(dryRun)).toMatchObject({ httpStatus: 200, data: { deliveries: 1 } });
  });

  it('is not hindered by what happened after its time', async () => {
    const occurredAt = await appendUnread();
    await platform.advance(11);

    expect(await replay(dryRun, occurredAt)).toMatchObject({ httpStatus: 200, data: { deliveries: 1 } });
  });
});
