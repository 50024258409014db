import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';
import { SmtpReceiver } from '#test/support/smtp-receiver.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { securityNoticeMail } from '#contexts/identity/domain/people/mails.js';
import { PeopleSettings } from '../../identity-settings.js';
import { PostgresMails } from '../persistence/postgres-mails.js';
import { MailSending } from './mail-sending.js';
import { MailServer } from './mail-server.js';

let platform: TestPlatform;
let receiver: SmtpReceiver;
let mails: PostgresMails;
let sending: MailSending;

beforeAll(async () => {
  platform = await openTestDatabase();
  receiver = new SmtpReceiver();
  const smtpUrl = `smtp://127.0.0.1:${await receiver.listen()}`;
  const settings = new PeopleSettings({ secretKeys: [], smtpUrl, mailFrom: 'payments@shop.example' });
  mails = new PostgresMails(platform.database);
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
const queue = (what: string) => platform.database.run(() => mails.queue(notice(what)));
const untilSent = (what: string) => eventually(() => receiver.mails.some((mail) => mail.includes(what)));

describe('A mail', () => {
  it('reaches the mail server once, and is forgotten then', async () => {
    await queue('Your password was changed.');

    await untilSent('Your password was changed.');
    await eventually(async () => (await mails.due(10)).length === 0);
    expect(receiver.mails).toHaveLength(1);
    expect(receiver.mails[0]).toContain('To: anna@shop.example');
  });

  it('waits where the server does not take it, and is sent then', async () => {
    receiver.refusals = ['451 later'];
    await queue('A passkey was added.');
    const tried = () => platform.database.query('SELECT FROM identity.outgoing_mails WHERE attempts = 1');
    await eventually(tried, ({ length }) => length === 1);
    expect(receiver.mails).toEqual([]);

    await platform.database.query('UPDATE identity.outgoing_mails SET due_at = platform.now()');

    await untilSent('A passkey was added.');
  });

  it('is not sent where its change is rolled back', async () => {
    const failing = platform.database.run(async () => {
      await mails.queue(notice('It never happened.'));
      throw new Error('rolled back');
    });

    await expect(failing).rejects.toThrow('rolled back');
    expect(await mails.due(10)).toEqual([]);
  });
});
