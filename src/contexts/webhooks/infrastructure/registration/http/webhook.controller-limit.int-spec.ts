import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

let platform: TestPlatform;
let api: WebhookApi;

beforeEach(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { perAccount: 3 });
});
afterEach(async () => {
  await api.close();
  await platform.close();
});

const register = (account: string = api.home.accountId) =>
  api.call('POST', '', { url: 'http://127.0.0.1:9/hooks', event_type: 'payment_request' }, { account });
const fill = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await register()).data.id);
  return ids;
};
/** So long that a registration that does not wait for another does not see its webhook either. */
const lingerBeforeCommitting = async () => {
  await platform.database.query(
    `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END'`,
  );
  await platform.database.query(
    'CREATE TRIGGER linger AFTER INSERT ON webhooks.webhooks FOR EACH ROW EXECUTE FUNCTION linger()',
  );
};
const registered = async () => (await api.call('GET', '/list')).data.data.length;

describe('An account that may have three webhooks', () => {
  it('is refused a fourth, with the number and what to do', async () => {
    await fill(3);

    const answer = await register();

    expect(answer).toMatchObject({ httpStatus: 409, code: 'state_conflict' });
    expect(answer.message).toBe('The account already has 3 webhooks, the maximum. Delete one first.');
    expect(await registered()).toBe(3);
  });

  it('has room again for each that it deletes, but not for what it deactivates', async () => {
    const [first, second] = await fill(3);

    await api.call('PATCH', `/${first!}/deactivate`);
    const afterDeactivating = await register();
    await api.call('DELETE', `/${second!}/delete`);
    const afterDeleting = [await register(), await register()];

    expect(afterDeactivating.httpStatus).toBe(409);
    expect(afterDeleting.map(({ httpStatus }) => httpStatus)).toEqual([200, 409]);
  });

  it('gets its last one once, of ten that are asked for at once', async () => {
    await fill(2);
    await lingerBeforeCommitting();

    const answers = await Promise.all(Array.from({ length: 10 }, () => register()));

    const statuses = answers.map(({ httpStatus }) => httpStatus).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await registered()).toBe(3);
  });

  it('takes nothing from the others of its organization', async () => {
    await fill(3);

    const answer = await register(api.sibling.accountId);

    expect(answer.httpStatus).toBe(200);
  });
});
