import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;

beforeAll(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform);
});
afterAll(async () => {
  expect(await fixture.broken()).toEqual([]);
  await platform.close();
});

const URL = 'https://shop.example/hooks';
const bodiesFor = async (webhook: string) =>
  (
    await fixture.rows<{ body: string }>(
      'SELECT body FROM webhooks.deliveries WHERE webhook_id = $1 ORDER BY id',
      [webhook],
    )
  ).map(({ body }) => body);

describe('The queue of deliveries', () => {
  it('contains a delivery for each webhook of the account that was registered before the event', async () => {
    const account = anAccount();
    const sibling = { ...anAccount(), organizationId: account.organizationId };
    const impostor = { ...anAccount(), accountId: account.accountId };
    const [first, second] = [await fixture.register(account, URL), await fixture.register(account, URL)];
    const others = [
      await fixture.register(account, URL, 'refund'),
      await fixture.register(account, URL, 'incoming_transfer'),
      await fixture.register(sibling, URL),
      await fixture.register(impostor, URL),
    ];
    await platform.database.run(() => platform.eventLog.append([statusChanged(account)]));
    const later = await fixture.register(account, URL);

    await fixture.happen(statusChanged(account));

    expect((await bodiesFor(first.id)).length).toBe(2);
    expect((await bodiesFor(second.id)).length).toBe(2);
    expect((await bodiesFor(later.id)).length).toBe(1);
    for (const { id } of others) expect(await bodiesFor(id)).toEqual([]);
  });

  it('is filled in three statements for two hundred events, each due immediately', async () => {
    const account = anAccount();
    const { id } = await fixture.register(account, URL);

    const statements = await statementsOf(platform, () =>
      fixture.happen(...Array.from({ length: 200 }, () => statusChanged(account))),
    );

    const own = statements.filter((text) => /webhooks\.(?:webhooks|deliveries)|due_work/.test(text));
    expect(own).toHaveLength(3);
    const due = await fixture.rows(
      `SELECT 1 FROM platform.due_work JOIN webhooks.deliveries d ON d.id = key
       WHERE kind = 'webhook_delivery' AND lane = $1 AND due_at <= platform.now() AND d.webhook_id = lane`,
      [id],
    );
    expect(due).toHaveLength(200);
  });

  it('contains an event once if it is applied again', async () => {
    const account = anAccount();
    const { id } = await fixture.register(account, URL);
    await fixture.happen(statusChanged(account));

    await fixture.rows(`UPDATE platform.subscriber_positions SET transaction_id = '0', position = 0`);
    await fixture.happen(statusChanged(anAccount()));

    expect(await bodiesFor(id)).toHaveLength(1);
  });
});
