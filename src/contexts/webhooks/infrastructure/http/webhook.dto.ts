import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { OneOf, Text } from '../../../../shared/platform/http/field-rules.js';
import { WEBHOOK_EVENT_TYPES, type Webhook, type WebhookEventType } from '../../domain/webhook.js';

export class RegisterWebhookBody {
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

  @OneOf(WEBHOOK_EVENT_TYPES, {
    description: '`incoming_transfer` can be registered and fires for nothing yet.',
    example: 'payment_request',
  })
  event_type!: WebhookEventType;

  @Text({ max: 256, optional: true, description: 'For your own use.', example: 'Order system' })
  description?: string;
}

export class WebhookDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ format: 'uri', example: 'https://shop.example/hooks/payments' })
  url!: string;

  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES })
  event_type!: WebhookEventType;

  @ApiProperty({ required: false })
  description?: string;

  @ApiProperty({ description: 'Only active webhooks are delivered to.' })
  active!: boolean;

  @ApiProperty({ description: 'The newest attempt was not acknowledged.' })
  failing!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class RegisteredWebhookDto extends WebhookDto {
  @ApiProperty({
    description: 'Signs the deliveries. Shown this once; keep the whole text, prefix included.',
    pattern: '^whsec_[A-Za-z0-9_-]{43}$',
  })
  secret!: string;
}

export const REGISTERED_WEBHOOK_EXAMPLE: RegisteredWebhookDto = {
  id: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70',
  account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
  url: 'https://shop.example/hooks/payments',
  event_type: 'payment_request',
  description: 'Order system',
  active: true,
  failing: false,
  created_at: '2026-11-21T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
  secret: `whsec_${'x'.repeat(43)}`,
};

export function presentRegistered({
  webhook,
  secret,
}: {
  webhook: Webhook;
  secret: string;
}): RegisteredWebhookDto {
  return { ...presentWebhook(webhook), secret };
}

function presentWebhook(webhook: Webhook): WebhookDto {
  return {
    id: webhook.id,
    account_id: webhook.accountId,
    url: webhook.url,
    event_type: webhook.eventType,
    ...(webhook.description === undefined ? {} : { description: webhook.description }),
    active: webhook.active,
    failing: webhook.failing,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
