import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
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

describe('Queueing deliveries of status changes', () => {
  it('makes one for processing, completed, underpaid and overpaid, and none for the others', async () => {
    const account = anAccount();
    const { id } = await fixture.register(account, URL);
    const statuses = [
      'pending',
      'created',
      'processing',
      'completed',
      'underpaid',
      'overpaid',
      'expired',
      'failed',
    ] as const;

    await fixture.happen(...statuses.map((status) => statusChanged(account, { status })));

    const bodies = await bodiesFor(id);
    expect(bodies.map((body) => (JSON.parse(body) as { data: { status: string } }).data.status)).toEqual([
      'processing',
      'completed',
      'underpaid',
      'overpaid',
    ]);
  });

  it('writes the documented body, byte for byte', async () => {
    const account = anAccount();
    const { id } = await fixture.register(account, URL);
    const paymentRequestId = newId<string>();
    const pointOfSaleId = newId<string>();

    await fixture.happen(statusChanged(account, { pointOfSaleId, referenceId: 'Ñ/"😀' }, paymentRequestId));

    expect(await bodiesFor(id)).toEqual([
      `{"data":{"account_id":"${account.accountId}","external_reference_id":"Ñ/\\"😀",` +
        `"notification_type":"payment_request_status_update","payment_request_id":"${paymentRequestId}",` +
        `"payment_request_type":"fixed","point_of_sale_id":"${pointOfSaleId}","status":"completed"}}`,
    ]);
  });

  it('reaches every webhook of the account registered before, and no other', async () => {
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

  it('takes as many statements for two hundred events as for one, each due at once in the lane of its webhook', async () => {
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

  it('queues an event once, also when it is applied again', async () => {
    const account = anAccount();
    const { id } = await fixture.register(account, URL);
    await fixture.happen(statusChanged(account));

    await fixture.rows(`UPDATE platform.subscriber_positions SET transaction_id = '0', position = 0`);
    await fixture.happen(statusChanged(anAccount()));

    expect(await bodiesFor(id)).toHaveLength(1);
  });
});
