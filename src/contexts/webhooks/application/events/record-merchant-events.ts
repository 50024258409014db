import { Injectable } from '@nestjs/common';
import { MerchantEvents } from '../../domain/events/merchant-events.js';
import { bodyOf, isMerchantEvent, type MerchantNotice } from './merchant-notice.js';

/** Records merchant events, for merchants to read and for replays, in the caller's unit of work; one statement. */
@Injectable()
export class RecordMerchantEvents {
  constructor(private readonly events: MerchantEvents) {}

  async execute(notices: readonly MerchantNotice[]): Promise<void> {
    await this.events.record(
      notices.filter(isMerchantEvent).map((each) => ({
        id: each.eventId,
        organizationId: each.organizationId,
        accountId: each.accountId,
        eventType: each.eventType,
        paymentRequestId: 'paymentRequestId' in each ? each.paymentRequestId : null,
        occurredAt: each.occurredAt,
        body: bodyOf(each),
      })),
    );
  }
}
