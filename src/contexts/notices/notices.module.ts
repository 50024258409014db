import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { AnswerMail } from './application/answer-mail.js';
import { AskAddresses } from './application/ask-addresses.js';
import { DeleteMailRule } from './application/delete-mail-rule.js';
import { NoticeLinks } from './application/notice-links.js';
import { SetMailRule } from './application/set-mail-rule.js';
import { MailRules } from './domain/mail-rules.js';
import { MailRulesController } from './infrastructure/dashboard/mail-rules.controller.js';
import { MailAnswerController } from './infrastructure/http/mail-answer.controller.js';
import { MailRuleQueries } from './infrastructure/persistence/mail-rule-queries.js';
import { PostgresAlerts } from './infrastructure/persistence/postgres-alerts.js';
import { PostgresMailRules } from './infrastructure/persistence/postgres-mail-rules.js';
import { PostgresPending } from './infrastructure/persistence/postgres-pending.js';
import { PostgresReports } from './infrastructure/persistence/postgres-reports.js';
import { NoticesSubscriber } from './infrastructure/subscribers/notices-subscriber.js';
import { LookForAlerts } from './infrastructure/work/look-for-alerts.js';
import { MakeReports } from './infrastructure/work/make-reports.js';
import { NoticeWorkers } from './infrastructure/work/notice-workers.js';
import { SendDigests } from './infrastructure/work/send-digests.js';

/** Mail rules: what a merchant's people set, and the pages that mails lead to. Identity's contracts must be provided globally. */
@Module({
  imports: [NetworksModule],
  controllers: [MailRulesController, MailAnswerController],
  providers: [
    AnswerMail,
    AskAddresses,
    DeleteMailRule,
    MailRuleQueries,
    { provide: MailRules, useClass: PostgresMailRules },
    {
      provide: NoticeLinks,
      inject: [DashboardSettings],
      useFactory: (settings: DashboardSettings) => new NoticeLinks(settings.origin, settings.url()),
    },
    SetMailRule,
  ],
  exports: [NoticeLinks],
})
export class NoticesModule {}

/** Mails what happens, and reports: for one kind of process, of which any number may run. */
@Module({
  imports: [NetworksModule, NoticesModule],
  providers: [
    LookForAlerts,
    MakeReports,
    NoticesSubscriber,
    NoticeWorkers,
    PostgresAlerts,
    PostgresPending,
    PostgresReports,
    SendDigests,
  ],
})
export class NoticesWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: NoticesSubscriber,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
  }
}
