import { answerFromView, AnswerField } from '#shared/platform/http/answers/answer.js';
import { customRule } from '#shared/platform/http/validation/field-rules.js';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
} from '#contexts/webhooks/domain/delivery/delivery.js';
import type { ReplayRange } from '../persistence/redeliveries.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';
import { IsInstant } from '#shared/platform/http/validation/shared-fields.js';

export class DeliveryDto {
  @AnswerField('Unique id of the delivery.', { format: 'uuid' })
  id!: string;

  @AnswerField('Id of the webhook.', { format: 'uuid' })
  webhook_id!: string;

  @AnswerField(
    'Id of the delivered event, also sent as the `webhook-id` header. Absent for a test delivery.',
    {
      format: 'uuid',
      required: false,
    },
  )
  event_id?: string;

  @AnswerField({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @AnswerField('Id of the payment request that the event belongs to. For a test delivery, a generated id.', {
    format: 'uuid',
  })
  payment_request_id!: string;

  @AnswerField({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' })
  status!: DeliveryStatus;

  @AnswerField('Time when the delivery was first queued.', { format: 'date-time' })
  created_at!: string;
}

export class ReplayBody {
  @IsInstant(
    'Start of the time range, inclusive: ISO 8601 with `Z` or an offset, in the years 2000 to 2999.',
    {
      example: '2026-11-21T06:00:00Z',
    },
  )
  from!: string;

  @IsInstant('End of the time range, exclusive. Must be later than `from`.', {
    example: '2026-11-21T08:30:00Z',
  })
  to!: string;

  @customRule(
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
  @AnswerField('Start of the time range, inclusive.', { format: 'date-time' })
  from!: string;

  @AnswerField('End of the time range, exclusive.', { format: 'date-time' })
  to!: string;

  @AnswerField('Whether the replay was a dry run, which only counts the events.', { example: false })
  dry_run!: boolean;

  @AnswerField({
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
  return answerFromView(DeliveryDto, delivery);
}

export function presentReplay(range: ReplayRange, dryRun: boolean, deliveries: number): ReplayDto {
  return answerFromView(ReplayDto, { ...range, dryRun, deliveries });
}
