import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import {
  anAccount,
  creditReversed,
  depositReceived,
  statusChanged,
  subscriptionChanged,
} from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { readEvents } from '#contexts/webhooks/testing/read-events.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform);
  fixture = webhooksFixture(platform);
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

const get = (query: string, scope?: Scope) => readEvents(api, query, scope);

describe('Reading events by a filter', () => {
  it('finds those of a type, of a payment request and of a time, and goes on behind what it has read', async () => {
    const own = anAccount();
    const scope = { organizationId: own.organizationId, accountId: null };
    const order = newId<string>();
    await fixture.happen(
      statusChanged(own, {}, order),
      depositReceived(own, {}, order),
      statusChanged(own),
      creditReversed(own, {}, order),
      statusChanged(own),
    );
    const all = (await get('', scope)).data.data;
    const whole = all.map(({ id }) => id);
    const found = async (query: string) => {
      const { data } = await get(`?${query}`, scope);
      return [data.data.map(({ id }) => whole.indexOf(id)), data.has_more, whole.indexOf(data.next_after!)];
    };
    const time = encodeURIComponent(all[2]!.occurred_at);

    expect(await found('event_type=payment_request')).toEqual([[0, 2, 4], false, 4]);
    expect(await found(`payment_request_id=${order.toUpperCase()}`)).toEqual([[0, 1, 3], false, 4]);
    expect(await found(`event_type=deposit&payment_request_id=${order}`)).toEqual([[1], false, 4]);
    expect(await found('event_type=payment_request&limit=2')).toEqual([[0, 2], true, 2]);
    expect(await found(`event_type=payment_request&limit=2&after=${whole[2]}`)).toEqual([[4], false, 4]);
    expect(await found('event_type=refund')).toEqual([[], false, 4]);
    expect(await found(`created_to=${time}`)).toEqual([
      all.flatMap(({ occurred_at }, n) => (occurred_at < all[2]!.occurred_at ? [n] : [])),
      ...[false, 4],
    ]);
    expect(await found(`created_from=${time}`)).toEqual([
      all.flatMap(({ occurred_at }, n) => (occurred_at >= all[2]!.occurred_at ? [n] : [])),
      ...[false, 4],
    ]);
  });

  it('finds those of subscriptions, which have no payment request', async () => {
    const own = anAccount();
    const scope = { organizationId: own.organizationId, accountId: null };
    await fixture.happen(statusChanged(own), subscriptionChanged(own), statusChanged(own));

    const { data } = await get('?event_type=subscription', scope);

    expect(data.data.map(({ event_type }) => event_type)).toEqual(['subscription']);
    expect(data.data[0]).not.toHaveProperty('payment_request_id');
  });

  it('reads so many at once and no more, where a filter matches nothing for long', async () => {
    const own = anAccount();
    const { organizationId, accountId } = own;
    platform.makesUp(['merchant-events-are-complete']);
    await platform.database.query(
      `INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, body, occurred_at)
       SELECT gen_random_uuid(), $1, $2, CASE n WHEN 12000 THEN 'deposit' ELSE 'payment_request' END, gen_random_uuid(),
         '{}', now() FROM generate_series(1, 12001) n`,
      [organizationId, accountId],
    );

    for (const scope of [
      { organizationId, accountId: null },
      { organizationId, accountId },
    ]) {
      const answers = [await get('?event_type=deposit', scope)];
      while (answers.at(-1)!.data.has_more)
        answers.push(await get(`?event_type=deposit&after=${answers.at(-1)!.data.next_after}`, scope));

      expect(answers.map(({ data }) => data.data.length)).toEqual([0, 0, 1]);
    }
  });

  it.each([
    ['event_type=bribe', ['event_type'], 'in'],
    ['event_type=deposit&event_type=deposit', ['event_type'], 'duplicate_key'],
    ['payment_request_id=', ['payment_request_id'], 'uuid'],
    ['payment_request_id=yesterday', ['payment_request_id'], 'uuid'],
    ['created_from=2026-01-01', ['created_from'], 'instant'],
    [
      'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z',
      ['created_from', 'created_to'],
      'time_order',
    ],
  ])('refuses the filter %s', async (query, fields, rule) => {
    expect(await get(`?${query}`)).toMatchObject({
      httpStatus: 400,
      errors: fields.map((field) => ({ field, rule })),
    });
  });
});
