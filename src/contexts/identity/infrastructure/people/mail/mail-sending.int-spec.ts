import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';
import { SmtpReceiver } from '#test/support/smtp-receiver.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { MailQueueFull } from '#contexts/identity/contract/outgoing-mails.js';
import { securityNoticeMail } from '#contexts/identity/domain/people/mails.js';
import { MAX_WAITING_MAILS } from '#contexts/identity/domain/people/outgoing-mail-rule.js';
import { SignInAndMailSettings } from '../../identity-settings.js';
import { OutgoingMailQueue } from '../persistence/outgoing-mail-queue.js';
import { MailSending } from './mail-sending.js';
import { MailServer } from './mail-server.js';

let platform: TestPlatform;
let receiver: SmtpReceiver;
let mails: OutgoingMailQueue;
let sending: MailSending;

beforeAll(async () => {
  platform = await openTestDatabase();
  receiver = new SmtpReceiver();
  const smtpUrl = `smtp://127.0.0.1:${await receiver.listen()}`;
  const settings = new SignInAndMailSettings({ secretKeys: [], smtpUrl, mailFrom: 'payments@shop.example' });
  mails = new OutgoingMailQueue(platform.database);
  sending = new MailSending(mails, new MailServer(settings), new Leases(platform.database));
  sending.onApplicationBootstrap();
});
afterEach(() => void (receiver.mails.length = 0));
afterAll(async () => {
  await sending.beforeApplicationShutdown();
  receiver.close();
  await platform.close();
});

const notice = (what: string) => securityNoticeMail('anna@shop.example', what, '127.0.0.1', new Date());
const shop = newId<OrganizationId>();
const digest = { recipient: 'a@b.example', subject: 's', body: 'b', unsubscribeUrl: 'https://pay.example/m' };
const queueDigest = (fields = {}, organization = shop) =>
  platform.database.run(() => mails.queue({ ...digest, ...fields }, organization));
const rows = () => platform.database.query('SELECT recipient, attempts FROM identity.outgoing_mails');
const queue = (what: string) => platform.database.run(() => mails.queue(notice(what)));
const untilSent = (what: string) => eventually(() => receiver.mails.some((mail) => mail.includes(what)));

describe('A mail', () => {
  it('reaches the mail server once and is deleted', async () => {
    await queue('Your password was changed.');

    await untilSent('Your password was changed.');
    await eventually(async () => (await mails.findDue(10)).length === 0);
    expect(receiver.mails).toHaveLength(1);
    expect(receiver.mails[0]).toContain('To: anna@shop.example');
  });

  it('is sent again after a temporary refusal', async () => {
    receiver.refusals = ['451 later'];
    await queue('A passkey was added.');
    const tried = () => platform.database.query('SELECT FROM identity.outgoing_mails WHERE attempts = 1');
    await eventually(tried, ({ length }) => length === 1);
    expect(receiver.mails).toEqual([]);

    await platform.database.query('UPDATE identity.outgoing_mails SET due_at = platform.now()');

    await untilSent('A passkey was added.');
  });

  it('is not sent if its transaction is rolled back', async () => {
    const failing = platform.database.run(async () => {
      await mails.queue(notice('It never happened.'));
      throw new Error('rolled back');
    });

    await expect(failing).rejects.toThrow('rolled back');
    expect(await mails.findDue(10)).toEqual([]);
  });

  it('contains text, HTML, an attachment and the unsubscribe headers', async () => {
    await queueDigest({
      subject: 'Paid\r\nBcc: eve@else.example',
      body: 'Paid in text',
      html: '<p>Paid in HTML</p>',
      unsubscribeUrl: 'https://pay.example/mail/abc',
      attachment: { filename: 'report.csv', content: 'type,net\r\nrefund,1\r\n' },
    });
    await untilSent('Paid in HTML');

    const [mail] = receiver.mails as [string];
    expect(mail).toContain('Subject: Paid Bcc: eve@else.example\n');
    expect(mail).toContain('List-Unsubscribe: <https://pay.example/mail/abc>\n');
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\n');
    expect(mail).toContain('Auto-Submitted: auto-generated\n');
    expect(mail).toMatch(/text\/plain[^]*Paid in text[^]*text\/html/);
    const file = Buffer.from('type,net\r\nrefund,1\r\n').toString('base64');
    expect(mail).toMatch(new RegExp(`text/csv; name=report.csv[^]*${file}`));
    expect(mail).not.toMatch(/^Bcc:/m);
  });

  it('is deleted after a permanent refusal only if it has an unsubscribe address', async () => {
    receiver.refusals = ['550 unknown', '550 unknown'];
    await platform.database.run(async () => {
      await mails.queue(digest, shop);
      await mails.queue(notice('A passkey was added.'));
    });

    const left = await eventually(rows, (all) => all.length === 1);

    expect(left).toEqual([{ recipient: 'anna@shop.example', attempts: 1 }]);
    await platform.database.query('DELETE FROM identity.outgoing_mails');
  });

  it('is retried for a day if it has an unsubscribe address, by which it can also be withdrawn', async () => {
    await sending.beforeApplicationShutdown();
    await queueDigest();
    await queueDigest({ unsubscribeUrl: 'https://pay.example/other' });
    await queueDigest({ unsubscribeUrl: 'https://pay.example/other' });
    expect(await mails.countWaiting([digest.unsubscribeUrl, 'https://pay.example/other'])).toBe(2);
    await platform.database.run(() => mails.withdraw(['https://pay.example/other']));
    const [left, ...others] = await mails.findDue(10);
    const isKept = await mails.retryOrRemove(left!.id, 0, false);
    await platform.database.query(
      `UPDATE identity.outgoing_mails SET created_at = now() - interval '25 hours'`,
    );

    expect([left!.unsubscribeUrl, others, isKept]).toEqual([digest.unsubscribeUrl, [], true]);
    expect(await mails.retryOrRemove(left!.id, 0, false)).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it('is limited for each recipient if it is an invitation, and waits behind security notices', async () => {
    await platform.database.query('DELETE FROM identity.outgoing_mails');
    const [flooding, modest] = [newId<OrganizationId>(), newId<OrganizationId>()];
    const invite = (recipient: string, organization: OrganizationId) =>
      platform.database.run(() =>
        mails.queueToTypedAddress({ recipient, subject: recipient, body: 'b' }, organization),
      );
    for (const n of [1, 2, 3]) await invite(`victim${n}@b.example`, flooding);
    await invite('new@b.example', modest);
    await queue('A passkey was added.');
    await queueDigest({ subject: 'digest' }, modest);

    const order = async (limit: number) => (await mails.findDue(limit)).map(({ subject }) => subject);
    const expected = [
      ...['Security notice for your sign-in', 'victim1@b.example', 'new@b.example', 'victim2@b.example'],
      ...['victim3@b.example', 'digest'],
    ];

    expect([await order(10), await order(5)]).toEqual([expected, expected.slice(0, 5)]);
    for (const organization of [flooding, flooding, modest]) await invite('victim1@b.example', organization);
    await expect(invite('victim1@b.example', flooding)).rejects.toThrow(
      'This address has reached the daily limit',
    );
    for (let n = 0; n < 6; n += 1) await invite('victim1@b.example', newId());
    await expect(invite('victim1@b.example', newId())).rejects.toThrow('This address has reached');
    for (let n = 0; n < 45; n += 1) await invite(`${n}@b.example`, flooding);
    await expect(invite('last@b.example', flooding)).rejects.toThrow('Your organization has reached');
    await platform.advance(86_400);
    await invite('victim1@b.example', flooding);
    await platform.database.query('DELETE FROM identity.outgoing_mails');
  });

  it('is limited for each organization and in total if it has an unsubscribe address', async () => {
    const wait = (count: number, organization: OrganizationId) =>
      platform.database.query(
        `INSERT INTO identity.outgoing_mails (id, recipient, subject, body, unsubscribe_url, organization_id, due_at, created_at)
         SELECT gen_random_uuid(), 'a@b.example', 's', 'b', 'https://pay.example/m', $2, now() - interval '1 hour', now()
         FROM generate_series(1, $1::integer)`,
        [count, organization],
      );
    const other = newId<OrganizationId>();
    await wait(MAX_WAITING_MAILS.ofOrganization - 1, shop);
    await queueDigest();
    await expect(queueDigest()).rejects.toThrow(MailQueueFull);
    await queueDigest({}, other);
    await wait(MAX_WAITING_MAILS.ofAll - MAX_WAITING_MAILS.ofOrganization - 1, newId());
    await expect(queueDigest({}, other)).rejects.toThrow(MailQueueFull);
    await queue('A passkey was added.');

    expect((await mails.findDue(1))[0]!.body).toContain('A passkey was added.');
  });
});
