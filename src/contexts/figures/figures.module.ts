import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { DailyFigures } from './contract/daily-figures.js';
import { figuresInvariants } from './infrastructure/persistence/figures-invariants.js';
import { PostgresDailyFigures } from './infrastructure/persistence/postgres-daily-figures.js';
import { RebuildFigures } from './infrastructure/persistence/rebuild-figures.js';
import { FiguresSubscriber } from './infrastructure/subscribers/figures-subscriber.js';

/** Counts and sums by day, for readers. */
@Invariants(figuresInvariants)
@Module({
  providers: [{ provide: DailyFigures, useClass: PostgresDailyFigures }, RebuildFigures],
  exports: [DailyFigures],
})
export class FiguresModule {}

/** The subscriber keeps the figures by the event log. */
@Module({ providers: [FiguresSubscriber] })
export class FiguresWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: FiguresSubscriber,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
  }
}
