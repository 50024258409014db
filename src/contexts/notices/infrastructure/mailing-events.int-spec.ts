import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { SmtpReceiver } from '#test/support/smtp-receiver.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PeopleSettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { MailSending } from '#contexts/identity/infrastructure/people/mail/mail-sending.js';
import { MailServer } from '#contexts/identity/infrastructure/people/mail/mail-server.js';
import { confirmedPayment, bookedEvent, receivedDeposit } from '#contexts/ledger/testing/movements.js';
import { NoticesSubscriber } from './subscribers/notices-subscriber.js';
import { PostgresPending } from './persistence/postgres-pending.js';
import { NoticesWorld, type MailedShop } from '../testing/notices-world.js';

let world: NoticesWorld;
beforeAll(async () => {
  world = await NoticesWorld.open();
});
// Facts of other contexts are made up here.
afterAll(() => world.platform.close('any'));

const paid = (shop: MailedShop, receivedAmount = 10_000_000n) =>
  bookedEvent(confirmedPayment({ ...shop, receivedAmount }), new Date());
const deposited = (shop: MailedShop) => {
  const event = bookedEvent(receivedDeposit({ ...shop }), new Date());
  return { ...event, data: { ...event.data, reason: 'late' } };
};

/** Dies after its work, before the position has moved. */
class DyingSubscriber extends NoticesSubscriber {
  deaths = 0;

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await super.apply(events);
    this.deaths += 1;
    // As a lost connection is, so that the runner parks nothing.
    throw Object.assign(new Error('killed'), { code: '57P01' });
  }
}

describe('Events that a rule mails', () => {
  it('are one mail with sums to the unit, however many workers there are and are killed', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna] });
    const payments = Array.from({ length: 500 }, (_, n) => paid(shop, 10_000_000n + BigInt(n)));
    await world.happen(...payments, paid(shop, 9_999_999n), deposited(shop));
    const dying = new DyingSubscriber(new PostgresPending(world.platform.database));
    const killed = world.runner(dying);
    await eventually(async () => {
      await killed.turn().catch(() => undefined);
      return dying.deaths >= 2;
    });

    await world.untilRead(killed, world.runner(), world.runner());
    await Promise.all([world.digest(), world.digest(), world.digest()]);

    const [mail, ...others] = await world.queued(anna);
    expect(others).toEqual([]);
    expect(mail!.body).toContain('500 payments completed: 5000.12475 USDC');
    expect(mail!.body).toContain('1 payment underpaid: 9.999999 USDC');
    expect(mail!.body).toContain('1 late payment: 4 USDC');
  });

  it('are mailed at once, and then again after the pause of the rule', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna], everyMinutes: '60' });
    const happens = async () => {
      await world.happen(paid(shop));
      await world.untilRead();
      await world.digest();
      return (await world.queued(anna)).length;
    };

    expect([await happens(), await happens(), await happens()]).toEqual([1, 1, 1]);
    await world.platform.advance(3_600);
    await world.digest();
    await world.digest();

    const mails = await world.queued(anna);
    expect(mails.map(({ subject }) => subject)).toEqual([
      '1 payment completed: 10 USDC · Till',
      '2 payments completed: 20 USDC · Till',
    ]);
  });

  it('wait for another pause as soon as the rule has it', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, { recipients: [anna], everyMinutes: '1440' });
    for (const mails of [1, 1]) {
      await world.happen(paid(shop));
      await world.untilRead();
      await world.digest();
      expect(await world.queued(anna)).toHaveLength(mails);
    }
    await world.set.change(id, world.change(shop.organizationId, { recipients: [anna] }));
    await world.platform.advance(301);
    await world.digest();

    expect(await world.queued(anna)).toHaveLength(2);
  });

  it('are those of the rule’s account after it was made, and no others', async () => {
    const [shop, other] = [await world.shop(), await world.shop()];
    const anna = await world.person(shop);
    await world.happen(paid(shop, 5n));
    await world.platform.advance(1);
    await world.rule(shop, { recipients: [anna], kinds: ['underpaid'] });
    await world.happen(
      paid(other, 1n),
      paid({ ...other, accountId: shop.accountId }, 2n),
      paid({ ...shop, accountId: other.accountId }, 4n),
      paid(shop),
      paid(shop, 3n),
    );
    await world.untilRead();
    await world.digest();

    expect((await world.queued(anna)).map(({ subject }) => subject)).toEqual([
      '1 payment underpaid: 0.000003 USDC · Till',
    ]);
  });

  it('wait while a mail to the same address waits, and for an hour at most where another one takes mails', async () => {
    const shop = await world.shop();
    const [anna, bert] = [await world.person(shop), await world.person(shop)];
    await world.rule(shop, { recipients: [anna] });
    await world.rule(shop, { recipients: [anna, bert] });
    const happens = async () => {
      await world.happen(paid(shop));
      await world.untilRead();
      await world.platform.advance(301);
      await world.queueDue();
      return [(await world.queued(anna)).length, (await world.queued(bert)).length];
    };

    expect(await happens()).toEqual([2, 1]);
    expect(await happens()).toEqual([2, 1]);
    await world.query('DELETE FROM identity.outgoing_mails WHERE recipient = $1', [bert]);
    await world.platform.advance(3_600);
    await world.queueDue();
    expect([(await world.queued(anna)).length, (await world.queued(bert)).length]).toEqual([3, 1]);
    await world.digest();
    await world.platform.advance(61);
    await world.digest();

    expect((await world.queued(anna)).map(({ subject }) => subject.slice(0, 10))).toEqual([
      ...['1 payment ', '1 payment ', '1 payment ', '1 payment '],
    ]);
  });

  it('wait where the queue of mails is full, and hold up no other rule', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna] });
    await world.query(
      `INSERT INTO identity.outgoing_mails (id, recipient, subject, body, unsubscribe_url, due_at, created_at)
       SELECT gen_random_uuid(), 'full@b.example', 's', 'b', 'https://pay.example/m', now(), now() FROM generate_series(1, 10000)`,
    );
    await world.happen(paid(shop));
    await world.untilRead();
    await world.digest();
    expect(await world.queued(anna)).toEqual([]);

    await world.query(`DELETE FROM identity.outgoing_mails WHERE recipient = 'full@b.example'`);
    await world.platform.advance(61);
    await world.digest();

    expect(await world.queued(anna)).toHaveLength(1);
  });
});

describe('The mail of an event', () => {
  it('reaches the mail server with text, HTML and the address to unsubscribe at', async () => {
    await world.query('DELETE FROM identity.outgoing_mails');
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna] });
    await world.happen(paid(shop));
    await world.untilRead();
    await world.queueDue();
    const receiver = new SmtpReceiver();
    const smtpUrl = `smtp://127.0.0.1:${await receiver.listen()}`;
    const server = new MailServer(
      new PeopleSettings({ secretKeys: [], smtpUrl, mailFrom: 'Payments <payments@shop.example>' }),
    );
    const sending = new MailSending(world.mails, server, new Leases(world.platform.database));
    sending.onApplicationBootstrap();

    await eventually(() => receiver.mails.length === 1);
    await sending.beforeApplicationShutdown();
    receiver.close();

    const [mail] = receiver.mails as [string];
    expect(mail).toContain(`To: ${anna}\n`);
    expect(mail).toMatch(/^List-Unsubscribe:\s+<https:\/\/pay\.example\/mail\/k[\w-]{43}>$/m);
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    expect(mail).toMatch(/text\/plain[^]*1 payment completed[^]*text\/html[^]*1 payment completed/);
  });
});
