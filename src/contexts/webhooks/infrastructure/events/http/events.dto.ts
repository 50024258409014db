import type { Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { CreatedRangeQuery, toCreatedRange } from '#shared/platform/http/validation/created-range.js';
import { AnyText, OneOf, rule } from '#shared/platform/http/validation/field-rules.js';
import { QueryInteger } from '#shared/platform/http/validation/query-integer.js';
import { NOTIFICATIONS } from '#contexts/webhooks/application/events/notifications.js';
import {
  isFulfilled,
  MERCHANT_EVENT_TYPES,
  type MerchantEvent,
  type MerchantEventFilter,
  type MerchantEventType,
} from '#contexts/webhooks/domain/events/merchant-events.js';
import type { ListedEvents } from '../persistence/merchant-event-queries.js';

export class EventsQuery extends CreatedRangeQuery {
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

  @OneOf(MERCHANT_EVENT_TYPES, { optional: true, description: 'Only this type.', example: 'payment_request' })
  event_type?: MerchantEventType;

  @rule(
    'uuid',
    'must be a UUID.',
    (value) => typeof value === 'string' && isUuid(value),
    { type: String, format: 'uuid' },
    {
      optional: true,
      description: 'Only of this payment request.',
      example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
    },
  )
  payment_request_id?: string;
}

/** @returns undefined without a filter; times are those of `occurred_at` */
export function toEventFilter(query: EventsQuery): MerchantEventFilter | undefined {
  const { event_type: eventType, payment_request_id: request, created_from: from, created_to: to } = query;
  if ([eventType, request, from, to].every((given) => given === undefined)) return undefined;
  return {
    eventType,
    paymentRequestId: request?.toLowerCase() as PaymentRequestId | undefined,
    occurred: toCreatedRange(query),
  };
}

/** The schemas of the bodies of events. Nest's reference knows a schema by a class. */
const NOTIFICATION_SCHEMAS: readonly Type[] = Object.values(NOTIFICATIONS).map(({ schema, fields }) => {
  const properties = Object.entries(fields).map(([name, [property]]) => [name, property]);
  const notice = schemaClass(`${schema}Notice`, Object.fromEntries(properties));
  return schemaClass(`${schema}Notification`, { data: { type: notice } });
});

/** OpenAPI has no word for it: of which schemas the JSON in a text is. */
const OF_SCHEMAS = { 'x-json-schemas': NOTIFICATION_SCHEMAS.map((body) => ({ $ref: getSchemaPath(body) })) };

@ApiExtraModels(...NOTIFICATION_SCHEMAS)
export class EventDto {
  @ApiProperty({
    format: 'uuid',
    description: 'The `webhook-id` header of its deliveries, where its type has any.',
  })
  id!: string;

  @ApiProperty({
    enum: MERCHANT_EVENT_TYPES,
    enumName: 'EventType',
    description:
      '`payment_request` and `refund` are what webhooks of these types hear of: a status. `deposit` is money at an address of the request ' +
      'that is no part of what it received, `adjustment` money that was booked and has disappeared from the chain, ' +
      '`settlement` a delivery to a settlement address, `subscription` a status of a subscription: these stand here alone, no ' +
      'webhook hears of them. Pass over a type that you do not know.',
  })
  event_type!: MerchantEventType;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({
    format: 'uuid',
    required: false,
    description: 'Absent for a `settlement`, which is of many, and for a `subscription`.',
  })
  payment_request_id?: string;

  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;

  @ApiProperty({
    required: false,
    description:
      'Of a `payment_request`: whether it had ended with what was asked for, as its own `fulfilled` says. It stands beside the ' +
      'body, which is the one of the delivery, and is absent for other types.',
  })
  fulfilled?: boolean;

  @ApiProperty({
    description:
      'For `payment_request` and `refund` the body that is POSTed to webhooks, byte for byte, so that the code that handles ' +
      'deliveries takes it unchanged: a `PaymentRequestNotification`, a `RefundNotification`. For `deposit` a `DepositNotification`, for ' +
      '`adjustment` an `AdjustmentNotification`; neither has a `status`. For `settlement` a `SettlementNotification`, ' +
      'for `subscription` a `SubscriptionNotification`.',
    ...OF_SCHEMAS,
  })
  body!: string;
}

export class EventListDto {
  @ApiProperty({ type: [EventDto], description: 'Oldest first.' })
  data!: EventDto[];

  @ApiProperty({
    description:
      'There may be more behind these: ask again at once. With filters also where none of those read so far matches.',
  })
  has_more!: boolean;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'Keep it once these events are handled, and send it as `after` next time. Absent while there is no event at all.',
  })
  next_after?: string;
}

export const EVENTS_EXAMPLE: EventListDto = {
  data: [
    {
      id: '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
      event_type: 'payment_request',
      account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
      payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
      occurred_at: '2026-11-21T08:00:00.000Z',
      fulfilled: true,
      body:
        '{"data":{"account_id":"0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01","external_reference_id":"order-1042",' +
        '"notification_type":"payment_request_status_update",' +
        '"payment_request_id":"0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44","payment_request_type":"fixed",' +
        '"point_of_sale_id":"0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90","status":"completed"}}',
    },
    {
      id: '0193b2fb-2c39-7a04-b1c8-5f6a7b8c9d0e',
      event_type: 'deposit',
      account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
      payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
      occurred_at: '2026-11-21T08:07:27.000Z',
      body:
        '{"data":{"account_id":"0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01",' +
        '"address":"0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC","amount":"5","currency":"USDC",' +
        '"external_reference_id":"order-1042","network":"polygon","notification_type":"payment_request_deposit",' +
        '"payment_request_id":"0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44",' +
        '"point_of_sale_id":"0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90","reason":"after_outcome",' +
        '"transaction_hash":"0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab",' +
        '"unique_asset_id":"npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"}}',
    },
  ],
  has_more: false,
  next_after: '0193b2fb-2c39-7a04-b1c8-5f6a7b8c9d0e',
};

export function presentEvents({ events, hasMore, nextAfter }: ListedEvents): EventListDto {
  return {
    data: events.map(presentEvent),
    has_more: hasMore,
    next_after: nextAfter,
  };
}

function presentEvent(event: MerchantEvent): EventDto {
  return {
    id: event.id,
    event_type: event.eventType,
    account_id: event.accountId,
    payment_request_id: event.paymentRequestId ?? undefined,
    occurred_at: event.occurredAt.toISOString(),
    fulfilled: isFulfilled(event),
    body: event.body,
  };
}

function schemaClass(name: string, properties: Record<string, ApiPropertyOptions>): Type {
  const schema = class {};
  Object.defineProperty(schema, 'name', { value: name });
  for (const [property, options] of Object.entries(properties))
    ApiProperty(options)(schema.prototype, property);
  return schema;
}
