import { ApiProperty } from '@nestjs/swagger';
import type { LoggedAttempt } from '#contexts/webhooks/application/delivery/logged-attempts.js';
import type { AttemptError } from '#contexts/webhooks/domain/delivery/attempt.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';

/** The meaning of each word, for the reference. */
const ERROR_MEANINGS: Record<AttemptError, string> = {
  http_status: 'the answer was complete, and its status is not 200',
  timeout: 'no complete answer within 2 seconds',
  response_too_large: 'the answer is larger than 20 kB',
  invalid_response: 'the answer is not HTTP',
  connection_refused: 'nobody listens there',
  connection_failed: 'the connection could not be made or broke off',
  tls_failed: 'the certificate is not valid for the host, or TLS failed',
  unresolvable: 'the host could not be looked up in DNS',
  address_not_allowed: 'the host leads to an address that is not public',
  webhook_inactive: 'nothing was sent: the webhook was deactivated or deleted',
  secret_unavailable: 'nothing was sent: the service could not open the secret; no fault of the receiver',
};

export class AttemptDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Attempts at the same delivery share it.' })
  delivery_id!: string;

  @ApiProperty({ format: 'uuid' })
  webhook_id!: string;

  @ApiProperty({
    format: 'uuid',
    required: false,
    description:
      'What the delivery tells of, and its `webhook-id` header. Absent for a test, whose `webhook-id` is its delivery.',
  })
  event_id?: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @ApiProperty({ format: 'uuid', description: 'Of a test: made up.' })
  payment_request_id!: string;

  @ApiProperty({
    enum: DELIVERY_STATUSES,
    enumName: 'DeliveryStatus',
    description:
      'The delivery’s after this attempt: `pending` is tried again at `next_attempt_at`, `failed` is not.',
  })
  status!: DeliveryStatus;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: 'Counted through all that the delivery was ever sent.',
  })
  attempt!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 100,
    maximum: 999,
    required: false,
    description: 'Of the receiver’s answer.',
  })
  http_status?: number;

  @ApiProperty({
    enum: Object.keys(ERROR_MEANINGS),
    enumName: 'AttemptError',
    required: false,
    description: `Absent exactly where the attempt was acknowledged.\n\n${Object.entries(ERROR_MEANINGS)
      .map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
      .join('\n')}`,
  })
  error?: AttemptError;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    required: false,
    description: 'From before the lookup of the host, in milliseconds; absent for `webhook_inactive`.',
  })
  duration_ms?: number;

  @ApiProperty({ format: 'date-time', required: false, description: 'Exactly while `pending`.' })
  next_attempt_at?: string;

  @ApiProperty({ format: 'date-time', description: 'When the attempt began.' })
  created_at!: string;
}

export const ATTEMPT_EXAMPLE: AttemptDto = {
  id: '0193b2f4-8c02-7e6f-b1a4-2d3c4e5f6a71',
  delivery_id: '0193b2f4-8bf0-7a33-9e5d-7c8b9a0d1e62',
  webhook_id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  event_id: '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
  event_type: 'payment_request',
  payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
  status: 'pending',
  attempt: 1,
  http_status: 503,
  error: 'http_status',
  duration_ms: 184,
  next_attempt_at: '2026-11-21T08:00:05.301Z',
  created_at: '2026-11-21T08:00:00.000Z',
};

export const TEST_EXAMPLE: AttemptDto = {
  id: '0193b2f4-9d13-7f80-82b5-3e4d5f6a7b82',
  delivery_id: '0193b2f4-9d02-7b44-8f6e-8d9c0b1e2f73',
  webhook_id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  event_type: 'payment_request',
  payment_request_id: '0193b2f4-9d01-7d2b-a06f-9eadbc2f3084',
  status: 'delivered',
  attempt: 1,
  http_status: 200,
  duration_ms: 96,
  created_at: '2026-11-21T08:05:00.000Z',
};

export function presentAttempt(entry: LoggedAttempt): AttemptDto {
  return {
    id: entry.id,
    delivery_id: entry.deliveryId,
    webhook_id: entry.webhookId,
    event_id: entry.eventId,
    event_type: entry.eventType,
    payment_request_id: entry.paymentRequestId,
    status: entry.status,
    attempt: entry.number,
    http_status: entry.httpStatus,
    error: entry.error,
    duration_ms: entry.durationMs,
    next_attempt_at: entry.nextAttemptAt?.toISOString(),
    created_at: entry.startedAt.toISOString(),
  };
}
