import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import {
  anAccount,
  creditReversed,
  depositReceived,
  statusChanged,
} from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { readEvents } from '#contexts/webhooks/testing/read-events.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
/** Ids in the order of the log: two of home, one of its sibling, one of a foreign organization, one of home. */
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

const get = (query: string, scope?: Scope) => readEvents(api, query, scope);
const idsOf = async (...call: Parameters<typeof get>) => (await get(...call)).data.data.map(({ id }) => id);

describe('Reading events', () => {
  it('answers the events, in the very bytes that are posted', async () => {
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

  it('says beside the body which status fulfils its request, and in the body nothing of it', async () => {
    const own = anAccount();
    const scope = { organizationId: own.organizationId, accountId: own.accountId };
    await fixture.happen(
      ...(['processing', 'completed', 'overpaid', 'underpaid'] as const).map((status) =>
        statusChanged(own, { status }),
      ),
      statusChanged(own, { status: 'underpaid', underpaymentAccepted: true }),
      depositReceived(own),
    );

    const { data } = (await get('', scope)).data;
    const ofUnderpaid = (await get('?event_type=payment_request', scope)).data.data.slice(-2);

    expect(data.map(({ fulfilled }) => fulfilled)).toEqual([false, true, true, false, true, undefined]);
    expect(ofUnderpaid.map(({ fulfilled }) => fulfilled)).toEqual([false, true]);
    const [plain, accepted] = ofUnderpaid.map(({ body }) => (JSON.parse(body) as { data: object }).data);
    expect(Object.keys(accepted!)).toEqual(Object.keys(plain!));
  });

  it('goes on behind an event, and says when there is no more', async () => {
    const answer = await get(`?limit=2&after=${ids[0]!.toUpperCase()}`);
    const last = await get(`?limit=2&after=${ids[2]}`);
    const nothingNew = await get(`?after=${ids[4]!.toUpperCase()}`);

    expect(answer.data.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    expect(answer.data).toMatchObject({ has_more: true, next_after: ids[2] });
    expect(last.data).toMatchObject({ data: [{ id: ids[4] }], has_more: false, next_after: ids[4] });
    expect(nothingNew.data).toEqual({ data: [], has_more: false, next_after: ids[4] });
  });

  it('shows deposits and adjustments in the same line, each a place to go on from', async () => {
    const own = anAccount();
    const scope = { organizationId: own.organizationId, accountId: own.accountId };
    const order = newId<string>();
    await fixture.happen(
      statusChanged(own, {}, order),
      depositReceived(own, {}, order),
      creditReversed(own, {}, order),
    );
    const [, deposit] = await idsOf('', scope);

    const { data } = await get('', scope);
    const behind = await get(`?after=${deposit}`, scope);

    expect(data.data.map(({ event_type }) => event_type)).toEqual([
      'payment_request',
      'deposit',
      'adjustment',
    ]);
    expect(new Set(data.data.map(({ payment_request_id }) => payment_request_id))).toEqual(new Set([order]));
    expect(behind.data.data).toEqual([data.data[2]]);
    expect(JSON.parse(data.data[2]!.body)).toMatchObject({
      data: { notification_type: 'payment_request_adjustment', amount: '-9', remaining_amount: '1' },
    });
  });

  it('has no next_after where there is no event yet', async () => {
    const silent = { organizationId: newId(), accountId: null } as Scope;

    expect((await get('', silent)).data).toEqual({ data: [], has_more: false });
  });

  it('shows an organization’s events, or one account’s', async () => {
    const ofHome = { organizationId: api.home.organizationId, accountId: api.home.accountId };

    expect(await idsOf('')).toEqual([ids[0], ids[1], ids[2], ids[4]]);
    expect(await idsOf(`?account_id=${api.sibling.accountId.toUpperCase()}`)).toEqual([ids[2]]);
    expect(await idsOf('', ofHome)).toEqual([ids[0], ids[1], ids[4]]);
  });

  it.each([
    ['unknown', () => ['', newId<string>()]],
    ['another organization’s', () => ['', ids[3]!]],
    ['of an account that was not asked for', () => [`&account_id=${api.sibling.accountId}`, ids[0]!]],
    ['malformed', () => ['', 'yesterday']],
    ['nearly an id', () => ['', `${ids[0]}0`]],
    ['empty', () => ['', '']],
  ])('refuses to go on behind an event that is %s, in the same words', async (_, given) => {
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

  it('asks for patience where an event was delivered before it was recorded', async () => {
    const coming = newId();
    const { id } = await api.register('http://127.0.0.1:9/hooks');
    await platform.database.query(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body, status)
       SELECT $1, w.organization_id, w.account_id, w.id, $2, 'payment_request', $1, '{}', 'delivered'
       FROM webhooks.webhooks w WHERE w.id = $3`,
      [newId(), coming, id],
    );

    const own = await get(`?after=${coming}`);
    const others = await get(`?after=${coming}&account_id=${api.sibling.accountId}`);

    await platform.database.query(`DELETE FROM webhooks.deliveries WHERE event_id = $1`, [coming]);
    expect(own).toMatchObject({ httpStatus: 503, code: 'unavailable' });
    expect(others).toMatchObject({ httpStatus: 400 });
  });

  it('refuses an account key the events of its sibling, also to go on behind', async () => {
    const ofHome = { organizationId: api.home.organizationId, accountId: api.home.accountId };

    expect(await get(`?after=${ids[2]}`, ofHome)).toMatchObject({
      httpStatus: 400,
      errors: [{ field: 'after' }],
    });
    for (const account of [api.sibling, api.home]) {
      expect(await get(`?account_id=${account.accountId}`, ofHome)).toMatchObject({
        httpStatus: 403,
        code: 'account_not_allowed',
      });
    }
  });

  it.each(['0', '501', '1e2', '-1', ''])('refuses the limit %j', async (limit) => {
    expect(await get(`?limit=${limit}`)).toMatchObject({
      httpStatus: 400,
      errors: [{ field: 'limit', rule: 'integer' }],
    });
  });

  it('refuses the account of others', async () => {
    expect(await get(`?account_id=${api.foreign.accountId}`)).toMatchObject({ httpStatus: 403 });
  });

  it('takes one statement, however many there are', async () => {
    const statements = await statementsOf(platform, () => get(`?after=${ids[0]}&limit=500`));

    expect(statements).toHaveLength(1);
  });
});
