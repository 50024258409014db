import { Injectable } from '@nestjs/common';
import { MerchantEvents } from '../../domain/events/merchant-events.js';
import { bodyOf, isTold, type MerchantNews } from './merchant-notice.js';

/** Records what merchants are told of, for them to read and for replays, in the caller's unit of work; one statement. */
@Injectable()
export class RecordEvents {
  constructor(private readonly events: MerchantEvents) {}

  async execute(news: readonly MerchantNews[]): Promise<void> {
    await this.events.record(
      news.filter(isTold).map((each) => ({
        id: each.eventId,
        organizationId: each.organizationId,
        accountId: each.accountId,
        eventType: each.eventType,
        paymentRequestId: each.paymentRequestId,
        occurredAt: each.occurredAt,
        body: bodyOf(each),
      })),
    );
  }
}
