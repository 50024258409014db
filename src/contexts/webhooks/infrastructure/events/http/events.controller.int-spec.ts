import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import {
  subscriptionChanged,
  newAccount,
  creditReversed,
  depositReceived,
  statusChanged,
} from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
/** Event ids in log order: two of the account `home`, one of `sibling`, one of `foreign`, one of `home`. */
let ids: string[];

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform);
  fixture = webhooksFixture(platform);
  const { home, sibling, foreign } = api;
  await fixture.happen(...[home, home, sibling, foreign, home].map((account) => statusChanged(account)));
  ids = (await fixture.rows<{ id: string }>('SELECT id FROM webhooks.events ORDER BY number')).map(
    ({ id }) => id,
  );
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

interface EventsAnswer {
  readonly httpStatus: number;
  readonly code?: string;
  readonly errors?: object[];
  readonly data: {
    readonly data: {
      id: string;
      occurred_at: string;
      event_type: string;
      payment_request_id: string;
      body: string;
    }[];
    readonly has_more: boolean;
    readonly next_after?: string;
  };
}

/** @returns the response without its request id; the default caller belongs to the home organization */
async function get(
  query: string,
  scope: TenantScope = { organizationId: api.home.organizationId, accountId: null },
) {
  const response = await fetch(`${await api.app.getUrl()}/v1/events${query}`, {
    headers: { 'x-test-scope': JSON.stringify(scope) },
  });
  const { request_id: _, ...answer } = (await response.json()) as Record<string, unknown>;
  return { httpStatus: response.status, ...answer } as unknown as EventsAnswer;
}
const idsOf = async (...call: Parameters<typeof get>) => (await get(...call)).data.data.map(({ id }) => id);

describe('The list of events', () => {
  it('contains the exact bodies of deliveries', async () => {
    const { data } = await get('?limit=1');

    const [row] = await fixture.rows<Record<string, string> & { occurredAt: Date }>(
      'SELECT * FROM webhooks.events WHERE id = $1',
      [ids[0]],
    );
    expect(data).toEqual({
      data: [
        {
          id: ids[0],
          event_type: 'payment_request',
          account_id: api.home.accountId,
          payment_request_id: row!['paymentRequestId'],
          occurred_at: row!.occurredAt.toISOString(),
          fulfilled: true,
          body: row!['body'],
        },
      ],
      has_more: true,
      next_after: ids[0],
    });
  });

  it('continues after an event, and reports whether there are more', async () => {
    const answer = await get(`?limit=2&after=${ids[0]!.toUpperCase()}`);
    const last = await get(`?limit=2&after=${ids[2]}`);
    const nothingNew = await get(`?after=${ids[4]!.toUpperCase()}`);

    expect(answer.data.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    expect(answer.data).toMatchObject({ has_more: true, next_after: ids[2] });
    expect(last.data).toMatchObject({ data: [{ id: ids[4] }], has_more: false, next_after: ids[4] });
    expect(nothingNew.data).toEqual({ data: [], has_more: false, next_after: ids[4] });
  });

  it('has no next_after if there is no event yet', async () => {
    const silent = { organizationId: newId(), accountId: null } as TenantScope;

    expect((await get('', silent)).data).toEqual({ data: [], has_more: false });
  });

  it('contains the events of the organization or of one account', async () => {
    const ofHome = { organizationId: api.home.organizationId, accountId: api.home.accountId };

    expect(await idsOf('')).toEqual([ids[0], ids[1], ids[2], ids[4]]);
    expect(await idsOf(`?account_id=${api.sibling.accountId.toUpperCase()}`)).toEqual([ids[2]]);
    expect(await idsOf('', ofHome)).toEqual([ids[0], ids[1], ids[4]]);
    const errors = [{ field: 'after' }];
    expect(await get(`?after=${ids[2]}`, ofHome)).toMatchObject({ httpStatus: 400, errors });
    const refused = { httpStatus: 403, code: 'account_not_allowed' };
    for (const { accountId } of [api.sibling, api.home])
      expect(await get(`?account_id=${accountId}`, ofHome)).toMatchObject(refused);
    expect(await get(`?account_id=${api.foreign.accountId}`)).toMatchObject(refused);
  });

  it.each([
    ['unknown', () => ['', newId<string>()]],
    ['another organization’s', () => ['', ids[3]!]],
    ['of an account that was not requested', () => [`&account_id=${api.sibling.accountId}`, ids[0]!]],
    ['malformed', () => ['', 'yesterday']],
    ['nearly an id', () => ['', `${ids[0]}0`]],
  ])('rejects an invalid event to continue after, always with the same message: %s', async (_, given) => {
    const [narrowing, after] = given();

    expect(await get(`?after=${after}${narrowing}`)).toEqual({
      httpStatus: 400,
      status: 'error',
      code: 'validation_failed',
      message: expect.stringMatching(/^after: is not an event that this request can read/),
      details: expect.stringMatching(/^after: /),
      errors: [{ field: 'after', rule: 'event', message: expect.any(String) }],
    });
  });

  it.each(['0', '501', '1e2'])('rejects the limit %j', async (limit) => {
    expect(await get(`?limit=${limit}`)).toMatchObject({
      httpStatus: 400,
      errors: [{ field: 'limit', rule: 'integer' }],
    });
  });

  it('takes one SQL statement', async () => {
    const statements = await statementsOf(platform, () => get(`?after=${ids[0]}&limit=500`));

    expect(statements).toHaveLength(1);
  });
});

describe('The filter of events', () => {
  it('selects events by type, payment request and time, and continues after the last one read', async () => {
    const own = newAccount();
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

  it('selects subscription events, which have no payment request', async () => {
    const own = newAccount();
    const scope = { organizationId: own.organizationId, accountId: null };
    await fixture.happen(statusChanged(own), subscriptionChanged(own), statusChanged(own));

    const { data } = await get('?event_type=subscription', scope);

    expect(data.data.map(({ event_type }) => event_type)).toEqual(['subscription']);
    expect(data.data[0]).not.toHaveProperty('payment_request_id');
  });

  it('reads a limited number of events for each page, even if none matches', async () => {
    const own = newAccount();
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
    ['payment_request_id=yesterday', ['payment_request_id'], 'uuid'],
    ['created_from=2026-01-01', ['created_from'], 'instant'],
    [
      'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z',
      ['created_from', 'created_to'],
      'time_order',
    ],
  ])('is rejected: %s', async (query, fields, rule) => {
    expect(await get(`?${query}`)).toMatchObject({
      httpStatus: 400,
      errors: fields.map((field) => ({ field, rule })),
    });
  });
});
