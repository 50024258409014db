import type { DomainEvent } from '#shared/kernel/domain-event.js';

export type WebhookBodySource<Event extends DomainEvent> = Event extends DomainEvent
  ? Pick<Event, 'type' | 'aggregateId' | 'accountId' | 'data'>
  : never;

export interface FieldSchema {
  readonly type?: 'string' | 'integer';
  readonly format?: string;
  readonly enum?: string[];
  readonly enumName?: string;
  readonly description?: string;
  readonly example?: string | number;
  readonly required?: false;
}

/** A field is omitted if its value is undefined. */
export type WebhookBodyFields<Event extends DomainEvent> = Readonly<
  Record<string, readonly [FieldSchema, (event: WebhookBodySource<Event>) => string | number | undefined]>
>;

export const TEXT_FIELD: FieldSchema = { type: 'string' };
export const UUID_FIELD: FieldSchema = { type: 'string', format: 'uuid' };
export const TIME_FIELD: FieldSchema = { type: 'string', format: 'date-time' };
export const NETWORK_FIELD = textFieldLike('polygon', 'Network id, such as `erc20` or `polygon`.');
export const ASSET_ID_FIELD = textFieldLike(
  'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'Unique id of the asset on its network.',
);
export const ASSET_SYMBOL_FIELD = textFieldLike('USDC', 'Symbol of the asset.');

export function textFieldLike(example: string, description?: string): FieldSchema {
  return { ...TEXT_FIELD, description, example };
}

export function withDescription(schema: FieldSchema, description: string): FieldSchema {
  return { ...schema, description };
}

export function enumField(enumName: string, words: readonly string[], description?: string): FieldSchema {
  return { enum: [...words], enumName, description };
}

export function optionalField(schema: FieldSchema): FieldSchema {
  return { ...schema, required: false };
}

/** Each kind of event body has one fixed value. */
export function kindField(value: string, enumName: string): WebhookBodyFields<DomainEvent>[string] {
  return [
    enumField(enumName, [value], 'Kind of notification. Each kind has its own fixed value.'),
    () => value,
  ];
}
