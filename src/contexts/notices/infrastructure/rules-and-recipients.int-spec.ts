import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { bookedEvent, confirmedPayment } from '#contexts/ledger/testing/movements.js';
import { PostgresAlerts } from './persistence/postgres-alerts.js';
import { NoticesWorld, USDC, type MailedShop } from '../testing/notices-world.js';

/** Runs work outside the unit of work that is open. */
const outside = AsyncLocalStorage.snapshot();
let world: NoticesWorld;
beforeAll(async () => {
  world = await NoticesWorld.open();
});
// Facts of other contexts are made up here.
afterAll(() => world.platform.close('any'));

const paid = (shop: MailedShop) => bookedEvent(confirmedPayment({ ...shop }), new Date());

async function failingWebhook({ organizationId, accountId }: MailedShop): Promise<string> {
  const webhook = newId<string>();
  await world.query(
    `INSERT INTO webhooks.webhooks (id, organization_id, account_id, url, event_type, failing, failing_since, secret_key_id,
       sealed_secret) VALUES ($1, $2, $3, 'https://hooks.example/secret?key=1', 'refund', true, now(), 'k', '\\x00')`,
    [webhook, organizationId, accountId],
  );
  return webhook;
}

describe('Recipients', () => {
  it('get mails once they have confirmed, and none after they have unsubscribed, not even those that wait', async () => {
    const shop = await world.shop();
    const stranger = `${newId<string>()}@else.example`;
    const id = await world.rule(shop, { recipients: [stranger] });
    const pay = async () => {
      await world.happen(paid(shop));
      await world.platform.advance(301);
      await world.untilRead();
      await world.queueDue();
      return (await world.queued(stranger)).filter(({ unsubscribeUrl }) => unsubscribeUrl !== null).length;
    };
    expect(await pay()).toBe(0);
    expect((await world.queries.find(shop.organizationId, id)).lastMailedAt).toBeNull();

    const token = await world.tokenOf(stranger);
    expect((await world.answer.read(token)).state).toBe('to_confirm');
    await world.answer.confirm(token);
    expect(await pay()).toBe(1);
    expect((await world.queued(stranger)).at(-1)!.subject).toContain('1 payment completed');

    await Promise.all([world.answer.unsubscribe(token), world.answer.unsubscribe(token)]);
    expect(await pay()).toBe(0);
    const audited = await world.query(
      `SELECT FROM identity.audit_log WHERE subject_id = $1 AND action = 'mail_recipient.unsubscribed' AND actor = $2`,
      [id, stranger],
    );
    expect(audited).toHaveLength(1);

    await world.answer.confirm(token);
    await world.answer.unsubscribe(token);
    await expect(world.answer.confirm(token)).rejects.toMatchObject({ kind: 'conflict' });
    await world.platform.advance(301);
    await world.answer.confirm(token);
    expect(await pay()).toBe(1);
  });

  it('confirm within a week, by a link that nothing else answers to', async () => {
    const shop = await world.shop();
    const stranger = `${newId<string>()}@else.example`;
    await world.rule(shop, { recipients: [stranger] });
    const token = await world.tokenOf(stranger);
    await world.platform.advance(7 * 86_400 + 1);

    await expect(world.answer.confirm(token)).rejects.toMatchObject({ kind: 'conflict' });
    for (const guess of ['', 'x', token.slice(1), `${token}x`])
      await expect(world.answer.read(guess)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('who are disabled, or of another organization, or have unsubscribed once, get nothing unasked', async () => {
    const [shop, other] = [await world.shop(), await world.shop()];
    const [left, foreign, tired] = [
      await world.person(shop),
      await world.person(other),
      await world.person(shop),
    ];
    await world.rule(shop, { recipients: [left, tired] });
    await world.query('UPDATE identity.collaborators SET enabled = false WHERE email = $1', [left]);
    await world.happen(paid(shop));
    await world.untilRead();
    await world.digest();
    expect([(await world.queued(left)).length, (await world.queued(tired)).length]).toEqual([0, 1]);
    await world.answer.unsubscribe(await world.tokenOf(tired));

    const id = await world.rule(shop, { recipients: [foreign, tired] });

    const { recipients } = await world.queries.find(shop.organizationId, id);
    expect(recipients.map(({ state }) => state)).toEqual(['to_confirm', 'to_confirm']);
    for (const email of [foreign, tired])
      expect((await world.queued(email)).at(-1)!.subject).toBe('Confirm emails from Shop & Co');
  });

  it('are asked a few times a day and no more, whoever asks', async () => {
    const stranger = `${newId<string>()}@else.example`;
    const shops = await Promise.all(Array.from({ length: 11 }, () => world.shop()));

    const made = await Promise.allSettled(shops.map((shop) => world.rule(shop, { recipients: [stranger] })));

    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await world.queued(stranger)).toHaveLength(10);
    const other = `${newId<string>()}@else.example`;
    const [first] = shops as [MailedShop];
    for (let n = 0; n < 3; n += 1) await world.rule(first, { recipients: [other] });
    await expect(world.rule(first, { recipients: [other] })).rejects.toThrow(
      'This address has reached the daily limit',
    );
    const fresh = () => Array.from({ length: 5 }, () => `${newId<string>()}@else.example`);
    const many = await world.shop();
    for (let n = 0; n < 10; n += 1) await world.rule(many, { recipients: fresh() });
    await expect(world.rule(many, { recipients: fresh() })).rejects.toThrow('Your organization has reached');
  });

  it('are asked in the order of their addresses, so that two organizations never wait for each other', async () => {
    const [a, b] = [`a-${newId<string>()}@else.example`, `b-${newId<string>()}@else.example`];

    await world.rule(await world.shop(), { recipients: [b, a] });

    const [[first], [second]] = [await world.queued(a), await world.queued(b)];
    expect(first!.id < second!.id).toBe(true);
  });

  it('who have unsubscribed are remembered by a digest', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna] });
    const [recipient] = await world.query<{ token: string }>(
      'SELECT token FROM notices.recipients WHERE email = $1',
      [anna],
    );
    await world.answer.unsubscribe(recipient!.token);

    const kept = await world.query(
      'SELECT u::text FROM notices.unsubscribed_addresses u WHERE organization_id = $1',
      [shop.organizationId],
    );
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(anna);
  });
});

describe('A rule', () => {
  it('keeps who has confirmed when it is changed, and is nobody else’s', async () => {
    const [shop, other] = [await world.shop(), await world.shop()];
    const [anna, bert] = [await world.person(shop), await world.person(shop)];
    const id = await world.rule(shop, { recipients: [anna] });
    const change = (organizationId: MailedShop['organizationId'], recipients: string[]) =>
      world.set.change(id, world.change(organizationId, { recipients }));

    await expect(change(other.organizationId, [bert])).rejects.toMatchObject({ kind: 'not_found' });
    await expect(world.rule(other, {})).rejects.toMatchObject({ kind: 'invalid' });
    expect(await world.rules.recipients(other.organizationId, id)).toEqual([]);
    await world.platform.database.run(() => world.rules.delete(other.organizationId, id));
    await expect(
      world.set.create(shop.accountId, world.change(other.organizationId, { recipients: [bert] })),
    ).rejects.toMatchObject({ code: 'account_not_allowed' });
    await change(shop.organizationId, [anna, bert]);

    const { recipients } = await world.queries.find(shop.organizationId, id);
    expect(recipients).toEqual([
      { email: anna, state: 'subscribed' },
      { email: bert, state: 'subscribed' },
    ]);
    await world.end.execute({ organizationId: shop.organizationId, id, actor: 'test' });
    await expect(world.queries.find(shop.organizationId, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('tells of an account that was deleted meanwhile', async () => {
    const shop = await world.shop();
    const rule = await world.queries.find(
      shop.organizationId,
      await world.rule(shop, { recipients: ['a@b.example'] }),
    );
    await world.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [shop.accountId]);

    const added = world.platform.database.run(() => world.rules.add({ ...rule, id: newId() }));

    await expect(added).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('that is made while somebody looks hears of a failing webhook by the next look', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await failingWebhook(shop);
    const { database } = world.platform;
    class LateAlerts extends PostgresAlerts {
      override async takeFailing() {
        await database.query('SELECT pg_sleep(0.01)');
        await outside(() => world.rule(shop, { recipients: [anna], kinds: ['failing_webhook'] }));
        return super.takeFailing();
      }
    }
    await world.look(new LateAlerts(database));
    await world.look();
    await world.digest();

    expect(await world.queued(anna)).toHaveLength(1);
  });

  it('reports a failing webhook and a low float once each time, to whoever is subscribed by then', async () => {
    const shop = await world.shop();
    const anna = `${newId<string>()}@else.example`;
    const float = { floatAsset: USDC.uniqueAssetId, floatBelow: '50' };
    const kinds = ['failing_webhook', 'low_float'];
    const id = await world.rule(shop, { recipients: [anna], kinds, ...float });
    const token = await world.tokenOf(anna);
    const webhook = await failingWebhook(shop);
    const look = async () => {
      await Promise.all([world.look(), world.look()]);
      await world.platform.advance(301);
      await world.digest();
      return (await world.queued(anna)).filter(({ unsubscribeUrl }) => unsubscribeUrl !== null).length;
    };

    await world.look();
    expect(await world.query('SELECT kind FROM notices.pending WHERE rule_id = $1', [id])).toEqual([]);
    await world.answer.confirm(token);
    await world.look();
    await world.answer.unsubscribe(token);
    expect(await look()).toBe(0);
    await world.answer.confirm(token);
    expect([await look(), await look()]).toEqual([1, 1]);
    const mail = (await world.queued(anna))[1];
    expect(mail!.body).toContain('1 refund float low');
    expect(mail!.body).toContain('https://hooks.example');
    expect(mail!.body).not.toContain('secret?key');

    await world.query('UPDATE webhooks.webhooks SET failing = false WHERE id = $1', [webhook]);
    await look();
    await world.query('UPDATE webhooks.webhooks SET failing = true WHERE id = $1', [webhook]);
    expect(await look()).toBe(2);
    expect((await world.queued(anna))[2]!.body).not.toContain('refund float');
  });
});
