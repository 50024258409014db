import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AnyText } from '../../../../shared/platform/http/field-rules.js';
import { QueryInteger } from '../../../../shared/platform/http/query-integer.js';
import type { ListedEvents } from '../../application/list-events.js';
import type { MerchantEvent } from '../../domain/merchant-events.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../domain/webhook.js';

export class EventsQuery {
  // What is no event in the scope is refused in the same words, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      description:
        'Only events behind this one: a `next_after`, an event’s id, or the `webhook-id` header of a delivery. Left ' +
        'out, the list begins with the first event.',
    },
  )
  after?: string;

  @QueryInteger({ min: 1, max: 500, default: 100, description: 'Most events to answer.' })
  limit: number = 100;

  // What is no account of the organization is 403, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    { optional: true, description: 'Of one account alone; for organization-level keys.' },
  )
  account_id?: string;
}

export class EventDto {
  @ApiProperty({ format: 'uuid', description: 'The `webhook-id` header of its deliveries.' })
  id!: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES })
  event_type!: WebhookEventType;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ format: 'uuid' })
  payment_request_id!: string;

  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;

  @ApiProperty({
    description:
      'The body that is POSTed to webhooks, byte for byte, so that the code that handles deliveries takes it unchanged.',
  })
  body!: string;
}

export class EventsDto {
  @ApiProperty({ type: [EventDto], description: 'Oldest first.' })
  data!: EventDto[];

  @ApiProperty({ description: 'There are more behind these: ask again at once.' })
  has_more!: boolean;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'Keep it once these events are handled, and send it as `after` next time. Absent while there is no event at all.',
  })
  next_after?: string;
}

export const EVENTS_EXAMPLE: EventsDto = {
  data: [
    {
      id: '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
      event_type: 'payment_request',
      account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
      payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
      occurred_at: '2026-11-21T08:00:00.000Z',
      body:
        '{"data":{"account_id":"0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01","external_reference_id":"order-1042",' +
        '"notification_type":"payment_request_status_update",' +
        '"payment_request_id":"0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44","payment_request_type":"fixed",' +
        '"point_of_sale_id":"0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90","status":"completed"}}',
    },
  ],
  has_more: false,
  next_after: '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
};

export function presentEvents({ events, hasMore, nextAfter }: ListedEvents): EventsDto {
  return {
    data: events.map(presentEvent),
    has_more: hasMore,
    ...(nextAfter === undefined ? {} : { next_after: nextAfter }),
  };
}

function presentEvent(event: MerchantEvent): EventDto {
  return {
    id: event.id,
    event_type: event.eventType,
    account_id: event.accountId,
    payment_request_id: event.paymentRequestId,
    occurred_at: event.occurredAt.toISOString(),
    body: event.body,
  };
}
