import { Module } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { DailyAnalytics } from './contract/daily-analytics.js';
import { analyticsInvariants } from './infrastructure/persistence/analytics-invariants.js';
import { PostgresDailyAnalytics } from './infrastructure/persistence/postgres-daily-analytics.js';
import { RebuildAnalytics } from './infrastructure/persistence/rebuild-analytics.js';
import { AnalyticsSubscriber } from './infrastructure/analytics-subscriber.js';

@RegisterInvariants(analyticsInvariants)
@Module({
  providers: [{ provide: DailyAnalytics, useClass: PostgresDailyAnalytics }, RebuildAnalytics],
  exports: [DailyAnalytics],
})
export class AnalyticsModule {}

@Module({ providers: [AnalyticsSubscriber] })
export class AnalyticsWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: AnalyticsSubscriber) {
    subscribers.add(subscriber);
  }
}
