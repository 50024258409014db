import { ApiProperty } from '@nestjs/swagger';
import { rule } from '#shared/platform/http/validation/field-rules.js';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
} from '#contexts/webhooks/domain/delivery/delivery.js';
import type { TimeRange } from '#contexts/webhooks/domain/redelivery/redeliveries.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';
import { Instant } from '#shared/platform/http/validation/instant.js';

export class DeliveryDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  webhook_id!: string;

  @ApiProperty({
    format: 'uuid',
    required: false,
    description: 'What it tells of, and its `webhook-id` header. Absent for a test.',
  })
  event_id?: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @ApiProperty({ format: 'uuid', description: 'Of a test: made up.' })
  payment_request_id!: string;

  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' })
  status!: DeliveryStatus;

  @ApiProperty({ format: 'date-time', description: 'When it was queued first.' })
  created_at!: string;
}

export class ReplayBody {
  @Instant({
    description:
      'The first moment of the range, of the years 2000 to 2999, in ISO 8601 with `Z` or an offset.',
    example: '2026-11-21T06:00:00Z',
  })
  from!: string;

  @Instant({
    description: 'The first moment behind the range; later than `from`.',
    example: '2026-11-21T08:30:00Z',
  })
  to!: string;

  @rule(
    'boolean',
    'must be true or false.',
    (value) => typeof value === 'boolean',
    { type: Boolean, default: false },
    { optional: true, description: 'Only counts; sends and changes nothing.', example: true },
  )
  dry_run?: boolean;
}

export class ReplayDto {
  @ApiProperty({ format: 'date-time' })
  from!: string;

  @ApiProperty({ format: 'date-time' })
  to!: string;

  @ApiProperty()
  dry_run!: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many are sent, or would be.' })
  deliveries!: number;
}

export const DELIVERY_EXAMPLE: DeliveryDto = {
  id: '0193b2f4-8bf0-7a33-9e5d-7c8b9a0d1e62',
  webhook_id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  event_id: '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
  event_type: 'payment_request',
  payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
  status: 'pending',
  created_at: '2026-11-21T08:00:00.000Z',
};

export const REPLAY_EXAMPLE: ReplayDto = {
  from: '2026-11-21T06:00:00.000Z',
  to: '2026-11-21T08:30:00.000Z',
  dry_run: false,
  deliveries: 412,
};

export function presentDelivery(delivery: Delivery): DeliveryDto {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    payment_request_id: delivery.paymentRequestId,
    status: delivery.status,
    created_at: delivery.createdAt.toISOString(),
  };
}

export function presentReplay({ from, to }: TimeRange, dryRun: boolean, deliveries: number): ReplayDto {
  return { from: from.toISOString(), to: to.toISOString(), dry_run: dryRun, deliveries };
}
