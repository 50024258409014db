import { Module } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { WebhooksModule } from '#contexts/webhooks/webhooks.module.js';
import { ChangeChatChannels } from './application/change-chat-channels.js';
import { ChangeMailConsent } from './application/change-mail-consent.js';
import { SendConfirmationMails } from './application/send-confirmation-mails.js';
import { DeleteNotificationRule } from './application/delete-notification-rule.js';
import { NotificationLinks } from './application/notification-links.js';
import { SetNotificationRule } from './application/set-notification-rule.js';
import { NotificationRulesController } from './infrastructure/dashboard/notification-rules.controller.js';
import { MailConsentController } from './infrastructure/http/mail-consent.controller.js';
import { NotificationRuleQueries } from './infrastructure/persistence/notification-rule-queries.js';
import { PostgresNotificationAlerts } from './infrastructure/persistence/postgres-notification-alerts.js';
import { ChatChannels } from './infrastructure/persistence/chat-channels.js';
import { NotificationRules } from './infrastructure/persistence/notification-rules.js';
import { PendingNotifications } from './infrastructure/persistence/pending-notifications.js';
import { NotificationReports } from './infrastructure/persistence/notification-reports.js';
import { NotificationsSubscriber } from './infrastructure/notifications-subscriber.js';
import { FindAlerts } from './infrastructure/work/find-alerts.js';
import { MakeReports } from './infrastructure/work/make-reports.js';
import { NotificationWorkers } from './infrastructure/work/notification-workers.js';
import { SendChatMessages } from './infrastructure/work/send-chat-messages.js';
import { SendDigests } from './infrastructure/work/send-digests.js';

/** Requires identity's contracts and `NotificationsSettings` to be provided globally. */
@Module({
  imports: [NetworksModule, WebhooksModule],
  controllers: [NotificationRulesController, MailConsentController],
  providers: [
    ChangeChatChannels,
    ChangeMailConsent,
    ChatChannels,
    SendConfirmationMails,
    DeleteNotificationRule,
    NotificationRuleQueries,
    NotificationRules,
    {
      provide: NotificationLinks,
      inject: [DashboardSettings],
      useFactory: (settings: DashboardSettings) => new NotificationLinks(settings.origin, settings.url()),
    },
    SetNotificationRule,
  ],
  exports: [ChatChannels, NotificationLinks],
})
export class NotificationsModule {}

@Module({
  imports: [NetworksModule, NotificationsModule, WebhooksModule],
  providers: [
    FindAlerts,
    MakeReports,
    NotificationsSubscriber,
    NotificationWorkers,
    PostgresNotificationAlerts,
    PendingNotifications,
    NotificationReports,
    SendChatMessages,
    SendDigests,
  ],
})
export class NotificationsWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: NotificationsSubscriber) {
    subscribers.add(subscriber);
  }
}
