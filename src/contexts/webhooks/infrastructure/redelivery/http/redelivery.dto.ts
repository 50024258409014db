import { ApiProperty } from '@nestjs/swagger';
import { rule } from '#shared/platform/http/validation/field-rules.js';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
} from '#contexts/webhooks/domain/delivery/delivery.js';
import type { ReplayRange } from '#contexts/webhooks/infrastructure/redelivery/persistence/postgres-redeliveries.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';
import { Instant } from '#shared/platform/http/validation/shared-fields.js';

export class DeliveryDto {
  @ApiProperty({ format: 'uuid', description: 'Unique id of the delivery.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the webhook.' })
  webhook_id!: string;

  @ApiProperty({
    format: 'uuid',
    required: false,
    description:
      'Id of the delivered event, also sent as the `webhook-id` header. Absent for a test delivery.',
  })
  event_id?: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @ApiProperty({
    format: 'uuid',
    description: 'Id of the payment request that the event belongs to. For a test delivery, a generated id.',
  })
  payment_request_id!: string;

  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' })
  status!: DeliveryStatus;

  @ApiProperty({ format: 'date-time', description: 'Time when the delivery was first queued.' })
  created_at!: string;
}

export class ReplayBody {
  @Instant({
    description:
      'Start of the time range, inclusive: ISO 8601 with `Z` or an offset, in the years 2000 to 2999.',
    example: '2026-11-21T06:00:00Z',
  })
  from!: string;

  @Instant({
    description: 'End of the time range, exclusive. Must be later than `from`.',
    example: '2026-11-21T08:30:00Z',
  })
  to!: string;

  @rule(
    'boolean',
    'must be true or false.',
    (value) => typeof value === 'boolean',
    { type: Boolean, default: false },
    {
      optional: true,
      description: 'Whether to only count the events and send nothing. Default: false.',
      example: true,
    },
  )
  dry_run?: boolean;
}

export class ReplayDto {
  @ApiProperty({ format: 'date-time', description: 'Start of the time range, inclusive.' })
  from!: string;

  @ApiProperty({ format: 'date-time', description: 'End of the time range, exclusive.' })
  to!: string;

  @ApiProperty({
    description: 'Whether the replay was a dry run, which only counts the events.',
    example: false,
  })
  dry_run!: boolean;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 412,
    description: 'Number of deliveries that were queued or, for a dry run, that would be queued.',
  })
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

export function presentReplay({ from, to }: ReplayRange, dryRun: boolean, deliveries: number): ReplayDto {
  return { from: from.toISOString(), to: to.toISOString(), dry_run: dryRun, deliveries };
}
