import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import {
  bookedEvent,
  confirmedPayment,
  receivedDeposit,
  reversalOf,
} from '#contexts/ledger/testing/movements.js';
import { PostgresNotificationAlerts } from './persistence/postgres-notification-alerts.js';
import { eventually } from '#test/support/eventually.js';
import type { PublishedEvent, DomainEvent } from '#shared/kernel/domain-event.js';
import { NotificationsSubscriber } from './notifications-subscriber.js';
import { PendingNotifications } from './persistence/pending-notifications.js';
import { PostMovements } from '#contexts/ledger/application/post-movements.js';
import { Journal } from '#contexts/ledger/infrastructure/persistence/journal.js';
import type { Movement } from '#contexts/ledger/domain/movement.js';
import { NotificationReports, type DueReport } from './persistence/notification-reports.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { Asset } from '#shared/kernel/asset.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { MerchantAccounts } from '#contexts/identity/infrastructure/accounts/persistence/merchant-accounts.js';
import { OutgoingMailQueue } from '#contexts/identity/infrastructure/people/persistence/outgoing-mail-queue.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ChangeChatChannels } from '../application/change-chat-channels.js';
import { ChangeMailConsent } from '../application/change-mail-consent.js';
import { SendConfirmationMails } from '../application/send-confirmation-mails.js';
import { DeleteNotificationRule } from '../application/delete-notification-rule.js';
import { NotificationLinks } from '../application/notification-links.js';
import { SetNotificationRule } from '../application/set-notification-rule.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { PostToPublicUrl } from '#contexts/webhooks/application/delivery/post-to-public-url.js';
import { ValidateWebhookUrl } from '#contexts/webhooks/application/endpoints/validate-webhook-url.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { UndiciTransport } from '#contexts/webhooks/infrastructure/delivery/transport/undici-transport.js';
import { DnsHostResolver } from '#contexts/webhooks/infrastructure/endpoints/dns-host-resolver.js';
import { MAX_RULES_PER_ACCOUNT, type SubmittedRule } from '../domain/notification-rule.js';
import { NotificationRuleQueries } from './persistence/notification-rule-queries.js';
import { NotificationRules } from './persistence/notification-rules.js';
import { ChatChannels } from './persistence/chat-channels.js';
import { NotificationsSettings } from '../application/notifications-settings.js';
import { SendChatMessages } from './work/send-chat-messages.js';
import { FindAlerts } from './work/find-alerts.js';
import { MakeReports } from './work/make-reports.js';
import { SendDigests } from './work/send-digests.js';

interface MailedShop {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

const USDC: Asset = {
  uniqueAssetId: 'nsandbox_t0x5FbDB2315678afecb367f032d93F642f64180aa3',
  network: 'sandbox',
  token: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  minimumAmount: 1n,
};

class OneAsset extends NetworkCatalogue {
  override networks = () => [];
  override network = () => undefined;
  override assets = () => [USDC];
  override asset = (id: string) => [USDC].find(({ uniqueAssetId }) => uniqueAssetId === id);
  override acceptsPaymentRequests = () => true;
}

const RULE: SubmittedRule = {
  kinds: ['completed', 'underpaid', 'deposit', 'refund'],
  recipients: [],
  everyMinutes: '5',
  timeZone: 'UTC',
  floatAsset: '',
  floatBelow: '',
};

interface QueuedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly html: string | null;
  readonly unsubscribeUrl: string | null;
  readonly attachment: { filename: string; content: string } | null;
}
const QUEUED = 'id, recipient, subject, body, html, unsubscribe_url, attachment';

const SECRET_KEYS = [{ id: 'k1', secret: Buffer.alloc(32, 1) }];

/** Notification rules on a real database, with test shops and a stub mail server. */
class NotificationsWorld {
  private readonly taken: QueuedMail[] = [];
  readonly mails: OutgoingMailQueue;
  readonly rules: NotificationRules;
  readonly queries: NotificationRuleQueries;
  readonly answer: ChangeMailConsent;
  readonly answerAt: (now: Date) => ChangeMailConsent;
  readonly ask: SendConfirmationMails;
  readonly set: SetNotificationRule;
  readonly end: DeleteNotificationRule;
  readonly digests: SendDigests;
  readonly channels: ChatChannels;
  readonly reports: MakeReports;
  readonly subscriber: NotificationsSubscriber;

  private readonly links = new NotificationLinks('https://pay.example', 'https://pay.example/app');

  private constructor(readonly platform: TestPlatform) {
    const { database, clock } = platform;
    const cell = new DeploymentCell('k');
    const [audit, pending] = [new PostgresAuditLog(database), new PendingNotifications(database)];
    this.mails = new OutgoingMailQueue(database);
    this.rules = new NotificationRules(database, cell);
    this.queries = new NotificationRuleQueries(database);
    this.answerAt = (now) =>
      new ChangeMailConsent(database, { now: async () => now }, this.rules, audit, this.mails, this.links);
    this.answer = new ChangeMailConsent(database, clock, this.rules, audit, this.mails, this.links);
    this.ask = new SendConfirmationMails(this.rules, this.mails, this.links, database, clock);
    const accounts = new MerchantAccounts(database);
    this.set = new SetNotificationRule(
      database,
      clock,
      this.rules,
      accounts,
      new OneAsset(),
      this.ask,
      audit,
      cell,
    );
    this.end = new DeleteNotificationRule(database, clock, this.rules, audit);
    this.channels = new ChatChannels(database, new NotificationsSettings(SECRET_KEYS));
    this.digests = new SendDigests(database, pending, this.mails, this.channels, this.links);
    this.reports = this.makeReports();
    this.subscriber = new NotificationsSubscriber(pending);
  }

  static async open(): Promise<NotificationsWorld> {
    return new NotificationsWorld(await openTestDatabase());
  }

  makeReports(reports = new NotificationReports(this.platform.database)): MakeReports {
    const { database } = this.platform;
    return new MakeReports(database, reports, new PendingNotifications(database), this.mails, this.links);
  }

  async shop(): Promise<MailedShop> {
    const shop = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    await this.query(
      `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ($1, 'Shop & Co', now(), now())`,
      [shop.organizationId],
    );
    await this.query(
      `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at) VALUES ($2, $1, 'Till', now(), now())`,
      [shop.organizationId, shop.accountId],
    );
    return shop;
  }

  async person({ organizationId }: MailedShop, email = `${newId<string>()}@shop.example`): Promise<string> {
    await this.query(
      `INSERT INTO identity.collaborators (id, organization_id, email, name, role, password_hash, created_at, updated_at)
       VALUES ($1, $2, $3, 'Anna', 'viewer', '$argon2id$x', now(), now())`,
      [newId(), organizationId, email],
    );
    return email;
  }

  rule({ organizationId, accountId }: MailedShop, asked: Partial<SubmittedRule>): Promise<string> {
    return this.set.create(accountId, this.change(organizationId, asked));
  }

  change(organizationId: OrganizationId, asked: Partial<SubmittedRule>) {
    return { organizationId, organizationName: 'Shop & Co', actor: 'test', asked: { ...RULE, ...asked } };
  }

  /** Chat channels whose URLs are served by a receiver on this machine. */
  chats({ url }: Receiver, { allowLoopbackHttp = true } = {}) {
    const { database, clock } = this.platform;
    const settings = new NotificationsSettings(SECRET_KEYS, new URL(url).origin);
    const webhooks = new WebhooksSettings({ secretKeys: SECRET_KEYS, allowLoopbackHttp });
    const validate = new ValidateWebhookUrl(webhooks, new DnsHostResolver());
    const post = new PostToPublicUrl(validate, new UndiciTransport(webhooks));
    const audit = new PostgresAuditLog(database);
    return {
      change: new ChangeChatChannels(database, clock, this.rules, this.channels, post, settings, audit),
      send: new SendChatMessages(this.channels, post, settings),
    };
  }

  async happen(...events: DomainEvent[]): Promise<void> {
    const occurredAt = await this.platform.clock.now();
    await this.platform.database.run(() =>
      this.platform.eventLog.append(events.map((event) => ({ ...event, occurredAt }))),
    );
  }

  runner(subscriber = this.subscriber): SubscriberRunner {
    return new SubscriberRunner(this.platform.database, subscriber);
  }

  /** Runs the subscriber to the end of the event log. Open transactions of other tests on the server delay it. */
  async untilRead(...runners: SubscriberRunner[]): Promise<void> {
    const reading = runners.length > 0 ? runners : [this.runner()];
    for (const each of reading) await each.register();
    const behind = () =>
      this.query(
        `SELECT 1 FROM platform.events e JOIN platform.subscriber_positions p
         ON p.subscriber = 'notices' AND (e.transaction_id, e.position) > (p.transaction_id, p.position) LIMIT 1`,
      );
    while ((await behind()).length > 0)
      await Promise.allSettled(reading.map((each) => each.applyNextBatch()));
  }

  look(alerts = new PostgresNotificationAlerts(this.platform.database)): Promise<void> {
    const { database, clock } = this.platform;
    return new FindAlerts(database, clock, alerts, new PendingNotifications(database), new OneAsset()).find();
  }

  /** Queues all due emails, and lets the mail server accept those of notification rules. */
  async digest(): Promise<void> {
    await this.queueDue();
    const mailed = await this.query<QueuedMail>(
      `DELETE FROM identity.outgoing_mails WHERE unsubscribe_url LIKE 'https://pay.example/mail/%' RETURNING ${QUEUED}`,
    );
    this.taken.push(...mailed);
  }

  async queueDue(): Promise<void> {
    while (await this.digests.send());
  }

  async queued(email: string): Promise<QueuedMail[]> {
    const waiting = await this.query<QueuedMail>(
      `SELECT ${QUEUED} FROM identity.outgoing_mails WHERE recipient = $1`,
      [email],
    );
    return [...this.taken.filter(({ recipient }) => recipient === email), ...waiting].sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
  }

  async tokenOf(email: string): Promise<string> {
    const { body } = (await this.queued(email)).at(-1)!;
    return /\/mail\/(k[A-Za-z0-9_-]{43})/.exec(body)![1]!;
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.platform.database.query<Row>(text, values);
  }
}

/** Runs a function outside the open unit of work. */
const outside = AsyncLocalStorage.snapshot();
let world: NotificationsWorld;
beforeAll(async () => {
  world = await NotificationsWorld.open();
});
// Skips all invariants, because this test inserts inconsistent records of other contexts.
afterAll(() => world.platform.close('any'));

const paid = (shop: MailedShop, receivedAmount = 10_000_000n) =>
  bookedEvent(confirmedPayment({ ...shop, receivedAmount }), new Date());

async function failingWebhook({ organizationId, accountId }: MailedShop): Promise<string> {
  const webhook = newId<string>();
  await world.query(
    `INSERT INTO webhooks.webhooks (id, organization_id, account_id, url, event_type, failing, failing_since, secret_key_id,
       sealed_secret) VALUES ($1, $2, $3, 'https://hooks.example/secret?key=1', 'refund', true, now(), 'k', '\\x00')`,
    [webhook, organizationId, accountId],
  );
  return webhook;
}

describe('A chat channel of a notification rule', () => {
  const ACTOR = { actor: 'anna@shop.example' };
  const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const addresses = () => ({
    slack: receiver.url,
    telegram: `${TOKEN} -100200`,
    ntfy: `${new URL(receiver.url).origin}/my-shop`,
  });

  async function ruleWith(kinds: readonly (keyof ReturnType<typeof addresses>)[]) {
    const shop = await world.shop();
    const rule = { organizationId: shop.organizationId, ruleId: await world.rule(shop, {}) };
    for (const kind of kinds)
      await world.chats(receiver).change.add(rule, ACTOR, { kind, address: addresses()[kind] });
    const view = () => world.channels.ofRule(rule.organizationId, rule.ruleId);
    return { shop, rule, view };
  }

  async function report(shop: MailedShop): Promise<void> {
    await world.platform.advance(301);
    await world.happen(paid(shop));
    await world.untilRead();
    await world.queueDue();
    while (await world.chats(receiver).send.send());
  }

  it('receives each digest once, in the format of its chat, without an email address in the rule', async () => {
    const { shop } = await ruleWith(['slack', 'telegram', 'ntfy']);

    await report(shop);
    await world.chats(receiver).send.send();

    const received = receiver.requests.map(({ path, body }) => [path, JSON.parse(body)]);
    const body = expect.stringMatching(/^Shop & Co: Till\n10 USDC · https:\/\/pay\.example\/app\/payments\//);
    expect(received.sort()).toEqual([
      ['/', { topic: 'my-shop', title: '1 payment completed: 10 USDC', message: body }],
      [
        `/bot${TOKEN}/sendMessage`,
        { chat_id: '-100200', text: expect.stringContaining('Shop & Co: Till\n') },
      ],
      ['/hooks', { text: expect.stringContaining('*1 payment completed: 10 USDC*\nShop &amp; Co: Till\n') }],
    ]);
  });

  it('is retried, and is displayed as failing from the message that is given up to the next one accepted', async () => {
    const { shop, view } = await ruleWith(['slack']);
    receiver.answer = (_request, response) => response.writeHead(429).end();
    await report(shop);
    for (const seconds of [29, 2, 301, 1_801]) {
      await world.platform.advance(seconds);
      await world.chats(receiver).send.send();
    }
    expect([receiver.requests.length, await view()]).toMatchObject([4, [{ failingSince: null }]]);

    await world.platform.advance(7_201);
    await world.chats(receiver).send.send();
    await world.platform.advance(86_400);
    await world.chats(receiver).send.send();
    expect([receiver.requests.length, await view()]).toMatchObject([
      5,
      [{ failingSince: expect.any(Date), lastError: 'http_429' }],
    ]);

    receiver.answer = (_request, response) => response.writeHead(204).end();
    await report(shop);
    expect(await view()).toMatchObject([{ failingSince: null, lastError: null }]);
  });

  it('does not follow a redirect, and receives nothing after its removal', async () => {
    const { shop, rule, view } = await ruleWith(['slack']);
    receiver.answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    await report(shop);
    const channelId = (await view())[0]!.id;

    await world.chats(receiver).change.remove({ ...rule, channelId }, ACTOR);
    await world.platform.advance(86_400);
    await report(shop);

    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hooks']);
  });

  it('is tested by one message, and names the error', async () => {
    const { rule, view } = await ruleWith(['telegram']);
    const channelId = (await view())[0]!.id;
    const test = () => world.chats(receiver).change.sendTest({ ...rule, channelId });

    await test();
    receiver.answer = (_request, response) => response.writeHead(401).end();

    await expect(test()).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('http_401'),
    });
    expect(receiver.requests).toHaveLength(2);
  });

  it('is rejected if it leads inward, belongs to another organization or is the sixth', async () => {
    const { rule } = await ruleWith(['slack', 'slack', 'slack', 'slack', 'ntfy']);
    const other = await world.shop();
    const add = (target: typeof rule, address: string, options = {}) =>
      world.chats(receiver, options).change.add(target, ACTOR, { kind: 'slack', address });

    await expect(add(rule, receiver.url)).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(add({ ...rule, organizationId: other.organizationId }, receiver.url)).rejects.toMatchObject({
      kind: 'not_found',
    });
    for (const inward of ['https://127.0.0.1/hooks', 'https://10.0.0.1/hooks', receiver.url])
      await expect(add(rule, inward, { allowLoopbackHttp: false })).rejects.toMatchObject({
        errors: [expect.objectContaining({ field: 'address' })],
      });
  });

  it('is encrypted with the first key, and its address is neither in the audit log nor in a view', async () => {
    const { rule, view } = await ruleWith(['telegram']);
    const next = { id: 'k2', secret: Buffer.alloc(32, 2) };
    const rotated = new ChatChannels(
      world.platform.database,
      new NotificationsSettings([next, ...SECRET_KEYS]),
    );

    expect((await rotated.reseal()).unreadable).toBe(0);

    const [channel] = await view();
    const onlyNext = new ChatChannels(world.platform.database, new NotificationsSettings([next]));
    expect(await onlyNext.address({ ...rule, channelId: channel!.id })).toEqual({
      kind: 'telegram',
      address: `${TOKEN} -100200`,
    });
    const audited = await world.query('SELECT * FROM identity.audit_log WHERE subject_id = $1', [
      rule.ruleId,
    ]);
    expect(JSON.stringify([audited, channel])).not.toContain('ABC-DEF');
    expect(audited).toHaveLength(2);
  });
});

describe('A recipient of notification mails', () => {
  it('receives mails only between confirming and unsubscribing', async () => {
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
    const [last] = await world.query<{ confirmedAt: Date }>(
      'SELECT confirmed_at FROM notices.recipients WHERE email = $1',
      [stranger],
    );
    await world.platform.advance(301);
    await world.answerAt(new Date(last!.confirmedAt.getTime() + 300_000)).confirm(token);
    expect(await pay()).toBe(1);
  });

  it('confirms within a week and only with its own link', async () => {
    const shop = await world.shop();
    const stranger = `${newId<string>()}@else.example`;
    await world.rule(shop, { recipients: [stranger] });
    const token = await world.tokenOf(stranger);
    const [sent] = await world.query<{ askedAt: Date }>(
      'SELECT asked_at FROM notices.recipients WHERE email = $1',
      [stranger],
    );
    const end = new Date(sent!.askedAt.getTime() + 7 * 86_400_000);
    expect((await world.answerAt(end).read(token)).state).toBe('to_confirm');
    await world.platform.advance(7 * 86_400 + 1);

    await expect(world.answer.confirm(token)).rejects.toMatchObject({ kind: 'conflict' });
    for (const guess of ['', 'x', token.slice(1), `${token}x`])
      await expect(world.answer.read(guess)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('needs to confirm again after unsubscribing, or if disabled, or if in another organization', async () => {
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

  it('receives a limited number of confirmation requests per day', async () => {
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

  it('sends confirmation requests in the order of addresses, so that two organizations never deadlock', async () => {
    const [a, b] = [`a-${newId<string>()}@else.example`, `b-${newId<string>()}@else.example`];

    await world.rule(await world.shop(), { recipients: [b, a] });

    const [[first], [second]] = [await world.queued(a), await world.queued(b)];
    expect(first!.id < second!.id).toBe(true);
  });

  it('leaves only a digest of its address after unsubscribing', async () => {
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
    const other = await world.shop();
    await world.rule(other, { recipients: [anna] });
    await world.answer.confirm(await world.tokenOf(anna));
    const states = [shop, other].map(({ organizationId }) =>
      world.rules.recipientAddressStates(organizationId, [anna]),
    );
    expect((await Promise.all(states)).flat()).toEqual([
      { email: anna, isCollaborator: true, hasUnsubscribed: true },
      { email: anna, isCollaborator: false, hasUnsubscribed: false },
    ]);
  });
});

describe('A stored notification rule', () => {
  it('keeps confirmed recipients when it is changed, and cannot be changed by another organization', async () => {
    const [shop, other] = [await world.shop(), await world.shop()];
    const [anna, bert] = [await world.person(shop), await world.person(shop)];
    const id = await world.rule(shop, { recipients: [anna] });
    const change = (organizationId: MailedShop['organizationId'], recipients: string[]) =>
      world.set.change(id, world.change(organizationId, { recipients }));

    await expect(change(other.organizationId, [bert])).rejects.toMatchObject({ kind: 'not_found' });
    expect(await world.rules.recipients(other.organizationId, id)).toEqual([]);
    await world.platform.database.run(() => world.rules.delete(other.organizationId, id));
    await expect(
      world.set.create(shop.accountId, world.change(other.organizationId, { recipients: [bert] })),
    ).rejects.toMatchObject({ code: 'account_not_allowed' });
    await expect(world.queries.find(other.organizationId, id)).rejects.toMatchObject({ kind: 'not_found' });
    const page = { page: 1, pageSize: 10 };
    expect(await world.queries.list(other.organizationId, page)).toEqual({ items: [], total: 0 });
    const second = await world.rule(shop, { recipients: [bert] });
    const { items, total } = await world.queries.list(shop.organizationId, page);
    expect([total, ...items.map((rule) => rule.id)]).toEqual([2, id, second]);
    await change(shop.organizationId, [anna, bert]);

    const { recipients } = await world.queries.find(shop.organizationId, id);
    expect(recipients).toEqual([
      { email: anna, state: 'subscribed' },
      { email: bert, state: 'subscribed' },
    ]);
    await world.end.delete({ organizationId: shop.organizationId, id, actor: 'test' });
    await expect(world.queries.find(shop.organizationId, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is one of at most twenty of an account', async () => {
    const shop = await world.shop();
    const recipients = [await world.person(shop)];
    for (let n = 0; n < MAX_RULES_PER_ACCOUNT; n += 1) await world.rule(shop, { recipients });

    await expect(world.rule(shop, { recipients })).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('fails for an account that was deleted concurrently', async () => {
    const shop = await world.shop();
    const rule = await world.queries.find(
      shop.organizationId,
      await world.rule(shop, { recipients: ['a@b.example'] }),
    );
    await world.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [shop.accountId]);

    const added = world.platform.database.run(() => world.rules.add({ ...rule, id: newId() }));

    await expect(added).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('reports a failing webhook when it is created during a check', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await failingWebhook(shop);
    const { database } = world.platform;
    class LateAlerts extends PostgresNotificationAlerts {
      override async takeFailingWebhooks() {
        await database.query('SELECT pg_sleep(0.01)');
        await outside(() => world.rule(shop, { recipients: [anna], kinds: ['failing_webhook'] }));
        return super.takeFailingWebhooks();
      }
    }
    await world.look(new LateAlerts(database));
    await world.look();
    await world.digest();

    expect(await world.queued(anna)).toHaveLength(1);
  });

  it('reports a failing webhook or a low refund float once per occurrence, only to confirmed recipients', async () => {
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

const deposited = (shop: MailedShop) => {
  const event = bookedEvent(receivedDeposit({ ...shop }), new Date());
  return { ...event, data: { ...event.data, reason: 'late' } };
};

/** A subscriber that fails after its work, before its checkpoint is stored. */
class DyingSubscriber extends NotificationsSubscriber {
  deaths = 0;

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await super.apply(events);
    this.deaths += 1;
    // The error code of a lost connection, which the runner retries without dead-lettering the event.
    throw Object.assign(new Error('killed'), { code: '57P01' });
  }
}

describe('The mail of a notification rule', () => {
  it('sums up all events once, with several workers of which one is killed', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    await world.rule(shop, { recipients: [anna] });
    const payments = Array.from({ length: 500 }, (_, n) => paid(shop, 10_000_000n + BigInt(n)));
    await world.happen(...payments, paid(shop, 9_999_999n), deposited(shop));
    const dying = new DyingSubscriber(new PendingNotifications(world.platform.database));
    const killed = world.runner(dying);
    await eventually(async () => {
      await killed.applyNextBatch().catch(() => undefined);
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

  it('follows the first event immediately and later events after the pause of the rule', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, { recipients: [anna], everyMinutes: '60' });
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
    await happens();
    await world.set.change(id, world.change(shop.organizationId, { recipients: [anna] }));
    await world.platform.advance(299);
    await world.digest();
    expect(await world.queued(anna)).toHaveLength(2);
    await world.platform.advance(1);
    await world.digest();
    expect(await world.queued(anna)).toHaveLength(3);
  });

  it('contains only events of the rule’s account after the rule was created', async () => {
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

  it('waits while an earlier mail to the address is queued, for at most one hour when other recipients are free', async () => {
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
});

const post = (...movements: Movement[]) =>
  world.platform.database.run(() => new PostMovements(new Journal(world.platform.database)).post(movements));

const DAY = 86_400;
const untilMade = async () => {
  while (await world.reports.make());
};

describe('The creation of reports', () => {
  it('happens once for each week, with several workers and after an outage, and matches the journal', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, {
      recipients: [anna],
      kinds: ['weekly_report', 'monthly_report'],
      timeZone: 'Asia/Tokyo',
    });
    // Reports are not sent for three weeks, each of which has a payment.
    const fees = { ...shop, feeBasisPoints: 150 };
    for (let week = 0; week < 3; week += 1) {
      const payments = Array.from({ length: 7 }, (_, n) =>
        confirmedPayment({ ...fees, receivedAmount: 10_000_001n + BigInt(week * 100 + n) }),
      );
      const deposit = receivedDeposit(fees);
      await post(...payments, deposit, ...(week === 1 ? [reversalOf(deposit)] : []));
      await world.platform.advance(7 * DAY);
    }
    await world.platform.advance(7 * DAY);

    await Promise.all([untilMade(), untilMade(), untilMade(), untilMade()]);

    const made = await world.query<{ startsOn: string; recipients: number; figures: { gross: string }[] }>(
      `SELECT starts_on::text AS starts_on, recipients, figures FROM notices.reports
       WHERE rule_id = $1 AND period = 'week' ORDER BY starts_on`,
      [id],
    );
    // One report for the week in which the rule was created, and for each later week that ended more than six hours
    // ago.
    expect(made.length).toBeGreaterThanOrEqual(3);
    const days = made.map(({ startsOn }) => Date.parse(startsOn) / 86_400_000);
    expect(days).toEqual(days.map((_, n) => days[0]! + n * 7));
    const weekly = (await world.queued(anna)).filter(({ subject }) => subject.startsWith('Weekly report'));
    expect(weekly).toHaveLength(made.length);
    const [journal] = await world.query<{ gross: bigint }>(
      'SELECT sum(gross_amount) AS gross FROM ledger.transactions WHERE account_id = $1',
      [shop.accountId],
    );
    const gross = made
      .flatMap(({ figures }) => figures)
      .reduce((sum, figure) => sum + BigInt(figure.gross), 0n);
    expect(gross).toBe(journal!.gross);
    await untilMade();
    const shown = await world.queries.findReportsOfRule(shop.organizationId, id);
    expect(shown).toHaveLength((await world.queued(anna)).length);
    const starts = shown.map(({ startsOn }) => startsOn);
    expect(starts).toEqual(starts.toSorted().reverse());
    expect(await world.queries.findReportsOfRule(newId(), id)).toEqual([]);
    expect(await world.rules.reportSchedules(newId(), id)).toEqual([]);
  });

  it('starts with the period in which the rule was created and ends when the account is deleted', async () => {
    const shop = await world.shop();
    const anna = await world.person(shop);
    const id = await world.rule(shop, { recipients: [anna], kinds: ['monthly_report'] });
    const [schedule] = await world.rules.reportSchedules(shop.organizationId, id);

    await untilMade();
    expect(schedule!.startsOn.slice(8)).toBe('01');
    expect(await world.queued(anna)).toEqual([]);
    await world.query('UPDATE notices.report_schedules SET due_at = now() WHERE rule_id = $1', [id]);
    await world.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [shop.accountId]);
    await untilMade();
    expect(await world.queued(anna)).toEqual([]);

    await world.look();
    await expect(world.queries.find(shop.organizationId, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('sums up the days of a report outside a database transaction', async () => {
    const { database } = world.platform;
    const shop = await world.shop();
    const id = await world.rule(shop, { recipients: [await world.person(shop)], kinds: ['monthly_report'] });
    await world.query('UPDATE notices.report_schedules SET due_at = now() WHERE rule_id = $1', [id]);
    const transactions: object[] = [];
    class Watched extends NotificationReports {
      override async sumTransactions(due: DueReport, from: Date, until: Date) {
        transactions.push(...(await database.query('SELECT pg_current_xact_id_if_assigned() AS id')));
        return super.sumTransactions(due, from, until);
      }
    }
    await world.makeReports(new Watched(database)).make();
    expect(transactions).toEqual([{ id: null }]);
  });
});
