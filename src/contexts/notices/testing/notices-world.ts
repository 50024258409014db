import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { Asset } from '#shared/kernel/asset.js';
import { Cell } from '#shared/kernel/cell.js';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { PostgresAccounts } from '#contexts/identity/infrastructure/accounts/persistence/postgres-accounts.js';
import { PostgresMails } from '#contexts/identity/infrastructure/people/persistence/postgres-mails.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AnswerMail } from '../application/answer-mail.js';
import { AskAddresses } from '../application/ask-addresses.js';
import { DeleteMailRule } from '../application/delete-mail-rule.js';
import { NoticeLinks } from '../application/notice-links.js';
import { SetMailRule } from '../application/set-mail-rule.js';
import type { AskedRule } from '../domain/mail-rule.js';
import { MailRuleQueries } from '../infrastructure/persistence/mail-rule-queries.js';
import { PostgresAlerts } from '../infrastructure/persistence/postgres-alerts.js';
import { PostgresMailRules } from '../infrastructure/persistence/postgres-mail-rules.js';
import { PostgresPending } from '../infrastructure/persistence/postgres-pending.js';
import { PostgresReports } from '../infrastructure/persistence/postgres-reports.js';
import { NoticesSubscriber } from '../infrastructure/subscribers/notices-subscriber.js';
import { LookForAlerts } from '../infrastructure/work/look-for-alerts.js';
import { MakeReports } from '../infrastructure/work/make-reports.js';
import { SendDigests } from '../infrastructure/work/send-digests.js';

export interface MailedShop {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

export const USDC: Asset = {
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
  override takesRequests = () => true;
}

const RULE: AskedRule = {
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

/** Mail rules on a database of their own, with shops and a mail server that are made up. */
export class NoticesWorld {
  private readonly taken: QueuedMail[] = [];
  readonly mails: PostgresMails;
  readonly rules: PostgresMailRules;
  readonly queries: MailRuleQueries;
  readonly answer: AnswerMail;
  readonly ask: AskAddresses;
  readonly set: SetMailRule;
  readonly end: DeleteMailRule;
  readonly digests: SendDigests;
  readonly reports: MakeReports;
  readonly subscriber: NoticesSubscriber;

  private readonly links = new NoticeLinks('https://pay.example', 'https://pay.example/app');

  private constructor(readonly platform: TestPlatform) {
    const { database, clock } = platform;
    const cell = new Cell('k');
    const [audit, pending] = [new PostgresAuditLog(database), new PostgresPending(database)];
    this.mails = new PostgresMails(database);
    this.rules = new PostgresMailRules(database, cell);
    this.queries = new MailRuleQueries(database);
    this.answer = new AnswerMail(database, clock, this.rules, audit, this.mails, this.links);
    this.ask = new AskAddresses(this.rules, this.mails, this.links, database, clock);
    const accounts = new PostgresAccounts(database);
    this.set = new SetMailRule(database, clock, this.rules, accounts, new OneAsset(), this.ask, audit, cell);
    this.end = new DeleteMailRule(database, clock, this.rules, audit);
    this.digests = new SendDigests(database, pending, this.mails, this.links);
    this.reports = this.makeReports();
    this.subscriber = new NoticesSubscriber(pending);
  }

  static async open(): Promise<NoticesWorld> {
    return new NoticesWorld(await openTestDatabase());
  }

  makeReports(reports = new PostgresReports(this.platform.database)): MakeReports {
    const { database } = this.platform;
    return new MakeReports(database, reports, new PostgresPending(database), this.mails, this.links);
  }

  /** An organization with an account. */
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

  /** A person of the shop, by e-mail address. */
  async person({ organizationId }: MailedShop, email = `${newId<string>()}@shop.example`): Promise<string> {
    await this.query(
      `INSERT INTO identity.collaborators (id, organization_id, email, name, role, password_hash, created_at, updated_at)
       VALUES ($1, $2, $3, 'Anna', 'viewer', '$argon2id$x', now(), now())`,
      [newId(), organizationId, email],
    );
    return email;
  }

  /** A rule of the shop, by what it has beside `RULE`. @returns its id */
  rule({ organizationId, accountId }: MailedShop, asked: Partial<AskedRule>): Promise<string> {
    return this.set.create(accountId, this.change(organizationId, asked));
  }

  change(organizationId: OrganizationId, asked: Partial<AskedRule>) {
    return { organizationId, organizationName: 'Shop & Co', actor: 'test', asked: { ...RULE, ...asked } };
  }

  /** Appends facts that happened now. */
  async happen(...events: DomainEvent[]): Promise<void> {
    const occurredAt = await this.platform.clock.now();
    await this.platform.database.run(() =>
      this.platform.eventLog.append(events.map((event) => ({ ...event, occurredAt }))),
    );
  }

  runner(subscriber = this.subscriber): SubscriberRunner {
    return new SubscriberRunner(this.platform.database, subscriber);
  }

  /** Lets the subscriber read to the end of the log. Other tests' open transactions on the same server delay reading. */
  async untilRead(...runners: SubscriberRunner[]): Promise<void> {
    const reading = runners.length > 0 ? runners : [this.runner()];
    for (const each of reading) await each.register();
    const behind = () =>
      this.query(
        `SELECT 1 FROM platform.events e JOIN platform.subscriber_positions p
         ON p.subscriber = 'notices' AND (e.transaction_id, e.position) > (p.transaction_id, p.position) LIMIT 1`,
      );
    while ((await behind()).length > 0) await Promise.allSettled(reading.map((each) => each.turn()));
  }

  look(alerts = new PostgresAlerts(this.platform.database)): Promise<void> {
    const { database, clock } = this.platform;
    return new LookForAlerts(
      database,
      clock,
      alerts,
      new PostgresPending(database),
      new OneAsset(),
    ).execute();
  }

  /** Queues all mails that are due, and has the mail server take those of rules. */
  async digest(): Promise<void> {
    await this.queueDue();
    const mailed = await this.query<QueuedMail>(
      `DELETE FROM identity.outgoing_mails WHERE unsubscribe_url LIKE 'https://pay.example/mail/%' RETURNING ${QUEUED}`,
    );
    this.taken.push(...mailed);
  }

  async queueDue(): Promise<void> {
    while (await this.digests.execute());
  }

  /** Mails to one address that were queued, oldest first. */
  async queued(email: string): Promise<QueuedMail[]> {
    const waiting = await this.query<QueuedMail>(
      `SELECT ${QUEUED} FROM identity.outgoing_mails WHERE recipient = $1`,
      [email],
    );
    return [...this.taken.filter(({ recipient }) => recipient === email), ...waiting].sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
  }

  /** The token in the newest mail to this address. */
  async tokenOf(email: string): Promise<string> {
    const { body } = (await this.queued(email)).at(-1)!;
    return /\/mail\/(k[A-Za-z0-9_-]{43})/.exec(body)![1]!;
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.platform.database.query<Row>(text, values);
  }
}
