import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SmtpReceiver } from '#test/support/smtp-receiver.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId } from '#shared/kernel/ids.js';
import { SignInAndMailSettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { MailServer } from '#contexts/identity/infrastructure/people/mail/mail-server.js';
import { OutgoingMailQueue } from '#contexts/identity/infrastructure/people/persistence/outgoing-mail-queue.js';
import { SendReceiptMail } from '#contexts/payments/application/receipts/send-receipt-mail.js';
import { ReceiptSettings, MAX_MAILS_PER_ADDRESS_AND_DAY } from '../../domain/receipts/mail-outcome-rule.js';
import { UnsubscribeFromReceiptMails } from '#contexts/payments/application/receipts/unsubscribe-from-receipt-mails.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { CheckoutEndedError } from '#contexts/payments/domain/requests/asset-change-rule.js';
import { SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { NO_DELIVERIES } from '#contexts/payments/testing/requests/open-payments.js';
import { LAST_BLOCK, timeOf } from '#contexts/payments/testing/requests/payment-request-builder.js';
import {
  mined,
  storeRequest,
  type StoredRequest,
} from '#contexts/payments/testing/requests/stored-request.js';
import { emailAddressDigest, readReceiptState } from '../requests/persistence/receipts.sql.js';
import { PaymentRequestQueries } from '../requests/persistence/views/payment-request-queries.js';
import { markTransfersOrphaned } from '../evaluation/mark-transfers-orphaned.js';
import { renderReceiptMail } from './receipt-mail-html.js';
import { UNPAID_EMAIL_RETENTION_HOURS, PayerMails } from './persistence/payer-mails.js';
import { Receipts } from './persistence/receipts.js';

const ANNA = 'anna@mail.example';
const MAILS_PER_DAY = 2;

let stored: StoredRequest;
let mails: PayerMails;
let outgoing: OutgoingMailQueue;
let receipts: Receipts;
let sending: SendReceiptMail;
let unsubscribing: UnsubscribeFromReceiptMails;

beforeEach(async () => {
  stored = await storeRequest();
  const { database, clock } = stored.platform;
  const cell = new DeploymentCell('k');
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const requests = new PaymentRequestQueries(database, NO_DELIVERIES);
  const branding = {
    brandingOf: () => Promise.resolve({ name: 'Corner\r\nBcc: eve@mail.example <b>', colour: '#ffe100' }),
  };
  const fees = { hint: () => undefined };
  const settings = new ReceiptSettings(MAILS_PER_DAY);
  mails = new PayerMails(database, cell, settings);
  outgoing = new OutgoingMailQueue(database);
  receipts = new Receipts(
    ...([database, requests, branding, new SmallCatalogue(), fees as never, urls, clock, cell] as const),
  );
  sending = new SendReceiptMail(mails, receipts, outgoing, urls, database, cell, settings);
  unsubscribing = new UnsubscribeFromReceiptMails(mails, outgoing, urls, database);
});
afterEach(() => stored.close());

const query = (text: string, values: unknown[] = []) => stored.platform.database.query(text, values);
const [BROWSER, OTHER_BROWSER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ask = (recipient = ANNA, browser = BROWSER) =>
  stored.platform.database.run(() => mails.requestMail(stored.id, { recipient, language: 'en', browser }));
const pay = (amount = 100n) => stored.readUpTo(LAST_BLOCK + 1, mined(amount, 3));
const states = () => query('SELECT recipient, outcome FROM payments.payer_mails');
const send = async () => {
  const due = await mails.listDue(10);
  return Promise.all(due.map((mail) => sending.send(mail, renderReceiptMail)));
};

describe('A receipt', () => {
  it('exists from the outcome on, under a code of the cell', async () => {
    expect(await query('SELECT FROM payments.receipts')).toEqual([]);
    await pay(40n);

    const [receipt] = await query('SELECT code, payment_request_id AS id FROM payments.receipts');

    expect(receipt).toEqual({ code: expect.stringMatching(/^0[A-Za-z0-9_-]{22}$/), id: stored.id });
  });

  it('reports reversed money behind a hundred other transfers', async () => {
    const standing = Array.from({ length: 100 }, () => mined(1n, 3));
    const { database } = stored.platform;
    await stored.readUpTo(LAST_BLOCK + 1, ...standing, mined(5n, 3));
    await database.run(async () => {
      const lost = await markTransfersOrphaned(database, 'amount = $1', [5]);
      await stored.change((request) => request.removeLostTransfers(lost.get(stored.id)!, timeOf(300)));
    });
    const [row] = await database.query<{ code: string }>('SELECT code FROM payments.receipts');

    const { receipt } = await receipts.find(row!.code);

    expect([receipt.status, receipt.reversed_amount]).toEqual(['partly_reversed', '0.000005']);
    expect(receipt.transactions.filter((each) => each.reversed_at !== undefined)).toEqual([]);
  });

  it('is not created for an unpaid request, whose mail address is deleted after a day', async () => {
    await ask();
    await stored.readUpTo(LAST_BLOCK + 1);
    await mails.prune();
    const kept = await states();
    await query(
      `UPDATE payments.payer_mails SET asked_at = asked_at - interval '${UNPAID_EMAIL_RETENTION_HOURS + 1} hours'`,
    );
    await mails.prune();

    expect(kept).toEqual([{ recipient: ANNA, outcome: null }]);
    expect([await query('SELECT FROM payments.receipts'), await states()]).toEqual([[], []]);
    await expect(ask()).rejects.toThrow(CheckoutEndedError);
  });
});

describe('A mail with a receipt', () => {
  it('is queued once with the outcome, even by two processes, and its address is removed', async () => {
    await ask();
    const before = await mails.listDue(10);
    await pay();
    const [due] = await mails.listDue(10);
    const outcomes = await Promise.all([
      sending.send(due!, renderReceiptMail),
      sending.send(due!, renderReceiptMail),
    ]);

    const queued = await outgoing.findDue(10);

    expect(before).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['queued', null]));
    expect(queued).toMatchObject([{ recipient: ANNA }]);
    expect(queued[0]!.body).toContain(`https://pay.example/receipt/${due!.receiptCode}`);
    expect(await states()).toEqual([{ recipient: null, outcome: 'queued' }]);
    await ask('eve@mail.example');
    expect(await mails.listDue(10)).toEqual([]);
  });

  it('has headers to unsubscribe, and no header that a merchant adds', async () => {
    await pay();
    await ask();
    await send();
    const receiver = new SmtpReceiver();
    const smtpUrl = `smtp://127.0.0.1:${await receiver.listen()}`;
    const server = new MailServer(
      new SignInAndMailSettings({ secretKeys: [], smtpUrl, mailFrom: 'pay@shop.example' }),
    );
    const [queued] = await outgoing.findDue(1);
    await server.send(queued!);
    receiver.close();

    const [head = ''] = receiver.mails[0]!.split('\n\n');
    expect(head).toMatch(/^List-Unsubscribe: <https:\/\/pay\.example\/unsubscribe\/k[A-Za-z0-9_-]{22}>$/m);
    expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    expect(head).toMatch(/^Subject: Receipt from Corner Bcc: eve@mail\.example <b>$/m);
    expect(head).not.toMatch(/^Bcc/m);
    expect(queued!.html).toContain('eve@mail.example &lt;b>');
    expect(queued!.html).not.toMatch(/<(?:b|script|link)\b/);
  });

  it('is not sent to an unsubscribed address, even if it is already queued', async () => {
    await ask();
    await pay();
    await send();
    const [{ code } = { code: '' }] = await stored.platform.database.query<{ code: string }>(
      'SELECT code FROM payments.payer_mails',
    );
    const waiting = await outgoing.findDue(10);
    await ended(newId(), ANNA, 'queued');
    expect(await stored.platform.database.run(() => mails.unsubscribe(code))).toEqual([code]);
    await removeOthers();
    await unsubscribing.unsubscribe(code);
    await unsubscribing.unsubscribe(code);
    await query(
      'UPDATE payments.payer_mails SET outcome = NULL, code = NULL, ended_at = NULL, recipient = $1',
      [ANNA],
    );

    expect(waiting).toHaveLength(1);
    expect(await send()).toEqual(['unsubscribed']);
    expect(await outgoing.findDue(10)).toEqual([]);
    await expect(unsubscribing.unsubscribe(`k${'A'.repeat(22)}`)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  let count = 0;
  /** Stores an ended receipt email of another payment request. */
  const ended = (organization: string, address: string, outcome: 'queued' | 'limited') =>
    query(
      `INSERT INTO payments.payer_mails (payment_request_id, organization_id, account_id, address_digest, language,
        asked_by, asked_at, due_at, outcome, ended_at, code)
      VALUES ($1, $2, $2, $3, 'en', 'payer', platform.now(), platform.now(), $4, platform.now(), $5)`,
      [
        ...[newId(), organization, emailAddressDigest(address), outcome],
        outcome === 'queued' ? `k${String(count++).padStart(22, '0')}` : null,
      ],
    );
  const removeOthers = () =>
    query('DELETE FROM payments.payer_mails WHERE payment_request_id <> $1', [stored.id]);

  it('is dropped above the limit per address and waits above the limit per organization', async () => {
    const sent = (organization: string, address: string) => ended(organization, address, 'queued');
    await ask();
    await pay();
    const { organizationId } = (await stored.load()).facts;
    for (let at = 0; at < MAILS_PER_DAY; at += 1) await sent(organizationId, `${at}@mail.example`);
    const beyondOrganization = await send();
    const waiting = [await states(), await mails.listDue(10)];
    await query('UPDATE payments.payer_mails SET due_at = platform.now()');
    for (let at = 0; at < MAX_MAILS_PER_ADDRESS_AND_DAY; at += 1) await sent(newId(), ANNA);

    expect([beyondOrganization, await send()]).toEqual([['waits'], ['limited']]);
    expect(waiting).toEqual([expect.arrayContaining([{ recipient: ANNA, outcome: null }]), []]);
    expect(await outgoing.findDue(10)).toEqual([]);
    await removeOthers();
  });

  it('is sent if only unsent mails exceed the limits, and only another organization is unsubscribed', async () => {
    await ask();
    await pay();
    const { organizationId } = (await stored.load()).facts;
    for (let at = 0; at < Math.max(MAILS_PER_DAY, MAX_MAILS_PER_ADDRESS_AND_DAY); at += 1)
      await ended(organizationId, ANNA, 'limited');
    await query(`INSERT INTO payments.unsubscribed_addresses VALUES ($1, $2, platform.now())`, [
      newId(),
      emailAddressDigest(ANNA),
    ]);

    expect(await send()).toEqual(['queued']);
    await removeOthers();
  });

  it('is sent to the last address of the first browser or to the address of the merchant', async () => {
    await ask('typo@mail.example');
    await ask();
    await ask('eve@mail.example', OTHER_BROWSER);
    const corrected = await states();
    const mailFor = async (browser: Buffer) =>
      (await readReceiptState(stored.platform.database, stored.id, browser)).mail;
    expect(await mailFor(BROWSER)).toBe('asked');
    expect(await mailFor(OTHER_BROWSER)).toBe('over');
    await query(`UPDATE payments.payer_mails SET asked_by = 'merchant', browser_digest = NULL`);
    await ask('eve@mail.example');

    expect(corrected).toEqual([{ recipient: ANNA, outcome: null }]);
    expect(await states()).toEqual(corrected);
  });
});

describe('A mail with a receipt that is due', () => {
  it('keeps its address', async () => {
    await ask();
    await pay();
    await ask('eve@mail.example');

    const { mail } = await readReceiptState(stored.platform.database, stored.id, BROWSER);
    expect([mail, await states()]).toEqual(['over', [{ recipient: ANNA, outcome: null }]]);
  });

  it('is kept as long as it waits', async () => {
    await ask();
    await pay();
    await query(
      `UPDATE payments.payer_mails SET asked_at = asked_at - interval '${UNPAID_EMAIL_RETENTION_HOURS + 1} hours'`,
    );
    await mails.prune();

    expect(await states()).toEqual([{ recipient: ANNA, outcome: null }]);
  });
});
