import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { OneOf, rule, Text } from '#shared/platform/http/validation/field-rules.js';
import type { RegisteredWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import {
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';

const MAX_OVERLAP_SECONDS = 604_800;

export class WebhookUrlBody {
  // The use case judges the URL and names the rule it breaks; here only that it is text.
  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description:
      'Public HTTPS URL, any port, without user name or password. Every address of its host must be public; it is ' +
      'looked up now and again at every delivery. Rules in errors: url, max_length, no_credentials, https, ' +
      'public_address, resolvable.',
    example: 'https://shop.example/hooks/payments',
  })
  @IsString({ message: 'must be a string.' })
  url!: string;
}

export class RegisterWebhookBody extends WebhookUrlBody {
  @OneOf(WEBHOOK_EVENT_TYPES, {
    description: '`incoming_transfer` can be registered and fires for nothing yet.',
    example: 'payment_request',
  })
  event_type!: WebhookEventType;

  @Text({ max: 256, optional: true, description: 'For your own use.', example: 'Order system' })
  description?: string;
}

export class RotateSecretBody {
  @rule(
    'integer',
    `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}.`,
    (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_OVERLAP_SECONDS,
    { type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 86_400 },
    {
      optional: true,
      description: 'How long the current secret goes on signing beside the new one; 0: no more.',
      example: 86_400,
    },
  )
  overlap_seconds: number = 86_400;
}

export class WebhookDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ format: 'uri', example: 'https://shop.example/hooks/payments' })
  url!: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, enumName: 'WebhookEventType' })
  event_type!: WebhookEventType;

  @ApiProperty({ required: false })
  description?: string;

  @ApiProperty({ description: 'Only active webhooks are delivered to.' })
  active!: boolean;

  @ApiProperty({
    description:
      'Nothing but failures for 5 days and more, from the first failed attempt since the last acknowledged one to the ' +
      'newest. Deliveries go on all the same; the first that is acknowledged ends it.',
  })
  failing!: boolean;

  @ApiProperty({
    format: 'date-time',
    required: false,
    description: 'Until then the secret before the current one signs too; absent where only one does.',
  })
  previous_secret_until?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class RegisteredWebhookDto extends WebhookDto {
  @ApiProperty({
    description: 'Signs the deliveries. Shown this once; keep the whole text, prefix included.',
    pattern: '^whsec_[A-Za-z0-9]{44}$',
  })
  secret!: string;
}

export class DeletedWebhookDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
}

export const WEBHOOK_EXAMPLE: WebhookDto = {
  id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
  url: 'https://shop.example/hooks/payments',
  event_type: 'payment_request',
  description: 'Order system',
  active: true,
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

/** A repetition under an idempotency key has no secret: the only time it is shown was the first. */
export function presentWithoutSecret({ webhook }: RegisteredWebhook): WebhookDto {
  return presentWebhook(webhook);
}

export function presentWebhook(webhook: Webhook): WebhookDto {
  return {
    id: webhook.id,
    account_id: webhook.accountId,
    url: webhook.url,
    event_type: webhook.eventType,
    description: webhook.description,
    active: webhook.active,
    failing: webhook.failing,
    previous_secret_until: webhook.previousSecretUntil?.toISOString(),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
