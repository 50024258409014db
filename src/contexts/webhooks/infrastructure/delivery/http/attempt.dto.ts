import { answerFromView, AnswerField } from '#shared/platform/http/answers/answer.js';
import type { LoggedAttempt } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import type { AttemptError } from '#contexts/webhooks/domain/delivery/attempt.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';

const ERROR_MEANINGS: Record<AttemptError, string> = {
  http_status: 'the receiver responded with a status other than 200',
  timeout: 'no complete response within 2 seconds',
  response_too_large: 'the response is larger than 20 kB',
  invalid_response: 'the response is not valid HTTP',
  connection_refused: 'the receiver refused the connection',
  connection_failed: 'the connection could not be established or was interrupted',
  tls_failed: 'the TLS handshake failed, or the certificate is not valid for the host',
  unresolvable: 'the host could not be resolved in DNS',
  address_not_allowed: 'the host resolves to an address that is not public',
  webhook_inactive: 'nothing was sent, because the webhook was deactivated or deleted',
  secret_unavailable:
    'nothing was sent, because the service could not decrypt the secret; the receiver is not the cause',
};

export class AttemptDto {
  @AnswerField('Unique id of the attempt.', { format: 'uuid' })
  id!: string;

  @AnswerField('Id of the delivery. All attempts of a delivery have the same value.', { format: 'uuid' })
  delivery_id!: string;

  @AnswerField('Id of the webhook.', { format: 'uuid' })
  webhook_id!: string;

  @AnswerField(
    'Id of the delivered event, also sent as the `webhook-id` header. Absent for a test delivery, which ' +
      'sends its `delivery_id` in this header.',
    { format: 'uuid', required: false },
  )
  event_id?: string;

  @AnswerField({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @AnswerField('Id of the payment request that the event belongs to. For a test delivery, a generated id.', {
    format: 'uuid',
  })
  payment_request_id!: string;

  @AnswerField(
    'Status of the delivery; in the log of attempts, its status after the attempt. `pending`: the delivery ' +
      'waits for its next attempt. `delivered`: the receiver has acknowledged the delivery. `failed`: the ' +
      'service makes no further attempt, unless you resend the delivery.',
    { enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus' },
  )
  status!: DeliveryStatus;

  @AnswerField('Number of the attempt, counted from 1 across all resends of the delivery.', {
    type: 'integer',
    minimum: 1,
    maximum: 2 ** 31 - 1,
  })
  attempt!: number;

  @AnswerField('HTTP status of the receiver’s response. Absent if the receiver sent no response.', {
    type: 'integer',
    minimum: 100,
    maximum: 999,
    required: false,
  })
  http_status?: number;

  @AnswerField(
    `Why the attempt failed. Absent if the receiver acknowledged it.\n\n${Object.entries(ERROR_MEANINGS)
      .map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
      .join('\n')}`,
    { enum: Object.keys(ERROR_MEANINGS), enumName: 'AttemptError', required: false },
  )
  error?: AttemptError;

  @AnswerField(
    'Duration of the attempt in milliseconds, including the DNS lookup. Absent if the error is ' +
      '`webhook_inactive`.',
    { type: 'integer', minimum: 0, required: false },
  )
  duration_ms?: number;

  @AnswerField('Time of the next attempt. Present only if `status` is `pending`.', {
    format: 'date-time',
    required: false,
  })
  next_attempt_at?: string;

  @AnswerField('Time when the attempt started.', { format: 'date-time' })
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

export const WEBHOOK_TEST_ATTEMPT_EXAMPLE: AttemptDto = {
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

export function presentAttempt(attempt: LoggedAttempt): AttemptDto {
  return answerFromView(AttemptDto, { ...attempt, attempt: attempt.number, createdAt: attempt.startedAt });
}
