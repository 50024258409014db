import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type DeliveryId } from '#shared/kernel/ids.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-05-01T12:00:00Z');
const DAY = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
/** Id of a webhook of the account `home`, registered after three of its events, at 11:00, 12:00 and 13:00. */
let webhook: string;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform);
  fixture = webhooksFixture(platform);
  const hours = [-1, 0, 1].map((hour) => new Date(NOON + hour * HOUR));
  await fixture.happen(...hours.map((occurredAt) => ({ ...statusChanged(api.home), occurredAt })));
});
afterAll(async () => {
  await api.close();
  await platform.close();
});
beforeEach(async () => {
  webhook = (await api.register('http://127.0.0.1:9/hooks')).id;
});

const replay = (body: object) => api.call('POST', `/${webhook}/replay`, body);
const resend = (delivery: string, id = webhook) => api.call('POST', `/${id}/delivery/${delivery}/resend`);
const deliveries = (id = webhook) =>
  fixture.rows<{ id: DeliveryId; eventId: string; paymentRequestId: string; createdAt: Date }>(
    'SELECT * FROM webhooks.deliveries WHERE webhook_id = $1 ORDER BY id',
    [id],
  );
const queued = () => fixture.rows('SELECT key FROM platform.due_work WHERE lane = $1', [webhook]);

describe('A replay', () => {
  it('queues the events of a range and returns their number; a dry run only counts', async () => {
    const counted = await replay({ ...DAY, dry_run: true });
    const untouched = [await queued(), await deliveries()];
    const answer = await replay(DAY);

    expect(counted.data).toMatchObject({ dry_run: true, deliveries: 3 });
    expect(untouched).toEqual([[], []]);
    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: {
        from: '2026-05-01T00:00:00.000Z',
        to: '2026-05-02T00:00:00.000Z',
        dry_run: false,
        deliveries: 3,
      },
    });
    expect(await queued()).toHaveLength(3);
  });

  it.each([
    ['2026-05-01T12:00:00.0000001Z', '2026-05-01T13:00:00.0000001Z', 1],
    ['2026-05-01T14:00:00+02:00', '2026-05-01T11:00:00.001-02:00', 2],
  ])(
    'includes the start of its range to the microsecond: from %s to %s, %i events',
    async (from, to, count) => {
      expect((await replay({ from, to, dry_run: true })).data).toMatchObject({ deliveries: count });
      expect((await replay({ from, to })).data).toMatchObject({ deliveries: count });
      expect(await queued()).toHaveLength(count);
    },
  );

  it.each([
    [{ to: DAY.from }, 'to', 'after_from'],
    [{ from: undefined }, 'from', 'required'],
    [{ to: '2026-05-02' }, 'to', 'instant'],
    [{ dry_run: 'true' }, 'dry_run', 'boolean'],
    [{ webhook_id: 'mine' }, 'webhook_id', 'unknown_field'],
  ])(
    'is rejected with the field and the rule that it breaks: %j, field %s, rule %s',
    async (change, field, rule) => {
      expect(await replay({ ...DAY, ...change })).toMatchObject({
        httpStatus: 400,
        errors: [{ field, rule }],
      });
    },
  );
});

describe('The request to send a delivery again', () => {
  it('returns the delivery, which is due immediately', async () => {
    await replay(DAY);
    const [first] = await deliveries();
    await fixture.rows(
      'UPDATE platform.due_work SET due_at = now() + make_interval(hours => 9) WHERE key = $1',
      [first!.id],
    );

    const answer = await resend(first!.id.toUpperCase());

    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: {
        ...{ id: first!.id, webhook_id: webhook, event_id: first!.eventId, event_type: 'payment_request' },
        ...{ payment_request_id: first!.paymentRequestId, status: 'pending' },
        created_at: first!.createdAt.toISOString(),
      },
    });
    const due = await fixture.rows(
      'SELECT FROM platform.due_work WHERE key = $1 AND due_at <= platform.now()',
      [first!.id],
    );
    expect(due).toHaveLength(1);
  });

  it('rejects a delivery of another webhook like an unknown one', async () => {
    await replay(DAY);
    const [mine] = await deliveries();
    const other = await api.register('http://127.0.0.1:9/other');
    const unknown = [await resend(mine!.id, other.id), await resend(newId()), await resend('mine')];

    const answers = unknown.map((answer) => ({ ...answer, request_id: undefined }));
    expect(answers[0]).toMatchObject({
      httpStatus: 404,
      message: expect.stringMatching(/^No such delivery/),
    });
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
  });
});

describe('A redelivery', () => {
  it('is rejected while the webhook is inactive, except for a dry run', async () => {
    await api.call('PATCH', `/${webhook}/deactivate`);

    const [resent, replayed] = [await resend(newId()), await replay(DAY)];
    const counted = await replay({ ...DAY, dry_run: true });

    for (const answer of [resent, replayed]) {
      expect(answer).toMatchObject({
        httpStatus: 409,
        code: 'state_conflict',
        message: expect.stringContaining('Activate it first'),
      });
    }
    expect(counted).toMatchObject({ httpStatus: 200, data: { dry_run: true } });
  });
});
