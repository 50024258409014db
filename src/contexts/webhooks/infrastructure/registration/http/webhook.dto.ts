import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { answerFromView, AnswerField } from '#shared/platform/http/answers/answer.js';
import { IsOneOf, customRule, IsText } from '#shared/platform/http/validation/field-rules.js';
import type { RegisteredWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import {
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';

const MAX_OVERLAP_SECONDS = 604_800;

export class WebhookUrlBody {
  // The use case validates the URL and names the violated rule.
  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description:
      'Public HTTPS URL on any port, without a user name or password. All IP addresses of its host must be ' +
      'public: the host is resolved at registration and at every delivery. If the URL is rejected, `rule` is ' +
      'one of: `url`, `max_length`, `no_credentials`, `https`, `public_address`, `resolvable`.',
    example: 'https://shop.example/hooks/payments',
  })
  @IsString({ message: 'must be a string.' })
  url!: string;
}

export class RegisterWebhookBody extends WebhookUrlBody {
  @IsOneOf(
    WEBHOOK_EVENT_TYPES,
    'Type of events to deliver. `payment_request`: a payment request became `processing`, `completed`, ' +
      '`underpaid` or `overpaid`. `refund`: a refund became `processing`, `completed` or `failed`. ' +
      '`incoming_transfer`: funds outside the payment, at the address of a payment request, became `processing`, ' +
      '`completed` or `reversed`.',
    { example: 'payment_request' },
  )
  event_type!: WebhookEventType;

  @IsText('Your own note about the webhook. Default: none.', {
    max: 256,
    optional: true,
    example: 'Order system',
  })
  description?: string;
}

export class RotateSecretBody {
  @customRule(
    'integer',
    `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}.`,
    (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_OVERLAP_SECONDS,
    { type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 86_400 },
    {
      optional: true,
      description:
        'Number of seconds for which deliveries are also signed with the secret being replaced. `0` ends ' +
        'the use of the old secret immediately. Default: 86400 (24 hours).',
      example: 86_400,
    },
  )
  overlap_seconds: number = 86_400;
}

export class WebhookDto {
  @AnswerField('Unique id of the webhook.', { format: 'uuid' })
  id!: string;

  @AnswerField('Id of the account whose events the webhook receives.', { format: 'uuid' })
  account_id!: string;

  @AnswerField({
    format: 'uri',
    example: 'https://shop.example/hooks/payments',
    description: 'URL that receives the deliveries.',
  })
  url!: string;

  @AnswerField('Type of events that the webhook receives.', {
    enum: WEBHOOK_EVENT_TYPES,
    enumName: 'WebhookEventType',
  })
  event_type!: WebhookEventType;

  @AnswerField('Your own note about the webhook. Absent if none was set.', {
    required: false,
    example: 'Order system',
  })
  description?: string;

  @AnswerField({
    example: true,
    description: 'Whether the webhook is active. An inactive webhook receives no events.',
  })
  active!: boolean;

  @AnswerField({ example: true, description: 'The same value as `active`.' })
  enabled!: boolean;

  @AnswerField({
    example: false,
    description:
      'True if every attempt has failed for at least 5 days, counted from the first failure after the last ' +
      'acknowledged attempt. Deliveries continue, and the next acknowledged attempt resets this field.',
  })
  failing!: boolean;

  @AnswerField(
    'End of the secret overlap. Until then, deliveries are also signed with the previous secret. ' +
      'Absent if deliveries are signed only with the current secret.',
    { format: 'date-time', required: false },
  )
  previous_secret_until?: string;

  @AnswerField('Time when the webhook was registered.', { format: 'date-time' })
  created_at!: string;

  @AnswerField('Time of the last change.', { format: 'date-time' })
  updated_at!: string;
}

export class RegisteredWebhookDto extends WebhookDto {
  @AnswerField({
    description:
      'Secret that signs the deliveries. Store the full text, including the `whsec_` prefix. It is displayed ' +
      'only once: a repeated request with the same `Idempotency-Key` omits it.',
    pattern: '^whsec_[A-Za-z0-9]{44}$',
  })
  secret!: string;
}

export class DeletedWebhookDto {
  @AnswerField('Id of the deleted webhook.', { format: 'uuid' })
  id!: string;
}

export const WEBHOOK_EXAMPLE: WebhookDto = {
  id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
  url: 'https://shop.example/hooks/payments',
  event_type: 'payment_request',
  description: 'Order system',
  active: true,
  enabled: true,
  failing: false,
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
};

export const REGISTERED_WEBHOOK_EXAMPLE: RegisteredWebhookDto = {
  ...WEBHOOK_EXAMPLE,
  secret: `whsec_${'x'.repeat(44)}`,
};

export function presentRegistered({ webhook, secret }: RegisteredWebhook): RegisteredWebhookDto {
  return { ...presentWebhook(webhook), secret };
}

/** A repeated request with the same idempotency key must not return the secret again. */
export function presentWithoutSecret({ webhook }: RegisteredWebhook): WebhookDto {
  return presentWebhook(webhook);
}

export function presentWebhook(webhook: Webhook): WebhookDto {
  return answerFromView(WebhookDto, webhook, { enabled: webhook.active });
}
