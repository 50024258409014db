import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { answerFromView, AnswerField } from '#shared/platform/http/answers/answer.js';
import {
  IsMerchantAccountFilter,
  CreatedRangeQuery,
  toCreatedRange,
} from '#shared/platform/http/validation/shared-fields.js';
import { IsAnyText, IsOneOf, customRule } from '#shared/platform/http/validation/field-rules.js';
import { IsQueryInteger } from '#shared/platform/http/validation/query-integer.js';
import { MERCHANT_EVENT_DEFINITIONS } from '#contexts/webhooks/application/events/notifications.js';
import {
  isPaymentRequestFulfilled,
  MERCHANT_EVENT_TYPES,
  type MerchantEvent,
  type MerchantEventFilter,
  type MerchantEventType,
} from '#contexts/webhooks/domain/events/merchant-events.js';
import type { ListedEvents } from '../persistence/merchant-event-queries.js';

export class EventsQuery extends CreatedRangeQuery {
  // Malformed and unknown ids must receive the same error.
  @IsAnyText(
    'Cursor: only events after this one. Accepts a `next_after`, the id of an event, or the `webhook-id` ' +
      'header of a delivery. Default: start with the oldest event.',
    { format: 'uuid', optional: true },
  )
  after?: string;

  @IsQueryInteger('Maximum number of events to return. Default: 100.', { min: 1, max: 500, default: 100 })
  limit: number = 100;

  @IsMerchantAccountFilter('events')
  account_id?: string;

  @IsOneOf(MERCHANT_EVENT_TYPES, 'Only events of this type.', { optional: true, example: 'payment_request' })
  event_type?: MerchantEventType;

  @customRule(
    'uuid',
    'must be a UUID.',
    (value) => typeof value === 'string' && isUuid(value),
    { type: String, format: 'uuid' },
    {
      optional: true,
      description: 'Only events of this payment request.',
      example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
    },
  )
  payment_request_id?: string;
}

export function toEventFilter(query: EventsQuery): MerchantEventFilter | undefined {
  const { event_type: eventType, payment_request_id: request, created_from: from, created_to: to } = query;
  if ([eventType, request, from, to].every((given) => given === undefined)) return undefined;
  return {
    eventType,
    paymentRequestId: request?.toLowerCase() as PaymentRequestId | undefined,
    occurred: toCreatedRange(query),
  };
}

const FIELDS_BY_SCHEMA = new Map(
  Object.values(MERCHANT_EVENT_DEFINITIONS).map(({ schema, fields }) => [schema, fields]),
);

/** Each is a class, because Nest's OpenAPI module identifies schemas by class. */
const NOTIFICATION_SCHEMAS: readonly Type[] = [...FIELDS_BY_SCHEMA].map(([schema, fields]) => {
  const properties = Object.entries(fields).map(([name, [property]]) => [name, property]);
  const data = schemaClass(`${schema}Notice`, Object.fromEntries(properties));
  return schemaClass(`${schema}Notification`, { data: { type: data } });
});

/** OpenAPI cannot express the schema of JSON within a string. */
const BODY_SCHEMAS = {
  'x-json-schemas': NOTIFICATION_SCHEMAS.map((body) => ({ $ref: getSchemaPath(body) })),
};

@ApiExtraModels(...NOTIFICATION_SCHEMAS)
export class EventDto {
  @AnswerField('Unique id of the event, also sent as the `webhook-id` header of its deliveries.', {
    format: 'uuid',
  })
  id!: string;

  @AnswerField(
    'Type of the event:\n\n' +
      '- `payment_request`: a payment request became `processing`, `completed`, `underpaid` or `overpaid`, or the ' +
      'merchant accepted an underpaid one as paid.\n' +
      '- `refund`: a refund became `processing`, `completed` or `failed`.\n' +
      '- `deposit`: an address of a payment request received funds that do not count toward the payment ' +
      'request.\n' +
      '- `adjustment`: recorded funds disappeared from the chain.\n' +
      '- `settlement`: a delivery to a settlement address became `completed` or `failed`.\n' +
      '- `subscription`: the status of a subscription changed.\n' +
      '- `incoming_transfer`: funds outside the payment, at the address of a payment request, became `processing`, ' +
      '`completed` (then there is also a `deposit`) or `reversed` (then there is also an `adjustment`).\n\n' +
      'Only `payment_request`, `refund` and `incoming_transfer` are sent to webhooks. Ignore types that you do not know.',
    { enum: MERCHANT_EVENT_TYPES, enumName: 'EventType' },
  )
  event_type!: MerchantEventType;

  @AnswerField('Id of the account that the event belongs to.', { format: 'uuid' })
  account_id!: string;

  @AnswerField(
    'Id of the payment request that the event belongs to. Absent for a `settlement`, which can belong to ' +
      'several payment requests, and for a `subscription`.',
    { format: 'uuid', required: false },
  )
  payment_request_id?: string;

  @AnswerField('Time when the event occurred.', { format: 'date-time' })
  occurred_at!: string;

  @AnswerField({
    required: false,
    example: true,
    description:
      'Value of the payment request’s `fulfilled` field after this event. It is not part of `body`. Present ' +
      'only if `event_type` is `payment_request`.',
  })
  fulfilled?: boolean;

  @AnswerField({
    description:
      'Body of the event, as a string that contains JSON. For `payment_request`, `refund` and `incoming_transfer`, ' +
      'it is byte for byte the body that webhooks receive, so the same code can process listed and delivered ' +
      'events. The schema depends on `event_type`:\n\n' +
      '- `payment_request`: `PaymentRequestNotification`\n' +
      '- `refund`: `RefundNotification`\n' +
      '- `incoming_transfer`: `IncomingTransferNotification`\n' +
      '- `deposit`: `DepositNotification`, which has no `status`\n' +
      '- `adjustment`: `AdjustmentNotification`, which has no `status`\n' +
      '- `settlement`: `SettlementNotification`\n' +
      '- `subscription`: `SubscriptionNotification`',
    ...BODY_SCHEMAS,
  })
  body!: string;
}

export class EventListDto {
  @AnswerField('Events, oldest first.', { type: [EventDto] })
  data!: EventDto[];

  @AnswerField({
    example: false,
    description:
      'True if there may be more events: request the next page immediately with `next_after`. With filters, it ' +
      'can be true although `data` is empty.',
  })
  has_more!: boolean;

  @AnswerField(
    'Cursor for the next request. Store it when you have processed these events, and send it as `after`. ' +
      'Absent if there are no events yet.',
    { required: false, format: 'uuid' },
  )
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

export function presentEvents(list: ListedEvents): EventListDto {
  return answerFromView(EventListDto, list, { data: list.events.map(presentEvent) });
}

function presentEvent(event: MerchantEvent): EventDto {
  return answerFromView(EventDto, event, { fulfilled: isPaymentRequestFulfilled(event) });
}

function schemaClass(name: string, properties: Record<string, ApiPropertyOptions>): Type {
  const schema = class {};
  Object.defineProperty(schema, 'name', { value: name });
  for (const [property, options] of Object.entries(properties))
    ApiProperty(options)(schema.prototype, property);
  return schema;
}
