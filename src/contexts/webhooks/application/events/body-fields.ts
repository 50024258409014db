import type { DomainEvent } from '#shared/kernel/domain-event.js';

/** The parts of an event that its body is made of. */
export type BodySource<Event extends DomainEvent> = Event extends DomainEvent
  ? Pick<Event, 'type' | 'aggregateId' | 'accountId' | 'data'>
  : never;

/** The schema of a field in the words of OpenAPI. A field is always there unless `required` is false. */
export interface FieldSchema {
  readonly type?: 'string' | 'integer';
  readonly format?: string;
  readonly enum?: string[];
  readonly enumName?: string;
  readonly description?: string;
  readonly example?: string | number;
  readonly required?: false;
}

/** The fields of a body's `data` by name: the schema of each, and its value. A value that is undefined is left out. */
export type BodyFields<Event extends DomainEvent> = Readonly<
  Record<string, readonly [FieldSchema, (event: BodySource<Event>) => string | number | undefined]>
>;

export const TEXT: FieldSchema = { type: 'string' };
export const UUID: FieldSchema = { type: 'string', format: 'uuid' };
export const TIME: FieldSchema = { type: 'string', format: 'date-time' };
export const NETWORK = like('polygon', 'Network id, such as `erc20` or `polygon`.');
export const ASSET = like(
  'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'Unique id of the asset on its network.',
);
export const CURRENCY = like('USDC', 'Symbol of the asset.');

export function like(example: string, description?: string): FieldSchema {
  return { ...TEXT, description, example };
}

export function described(schema: FieldSchema, description: string): FieldSchema {
  return { ...schema, description };
}

/** One of these words; callers know the list by a name of its own. */
export function oneOf(enumName: string, words: readonly string[], description?: string): FieldSchema {
  return { enum: [...words], enumName, description };
}

export function optional(schema: FieldSchema): FieldSchema {
  return { ...schema, required: false };
}

/** The field that distinguishes the kinds of bodies: each kind has one value for ever. */
export function kindOfBody(value: string, enumName: string): BodyFields<DomainEvent>[string] {
  return [oneOf(enumName, [value], 'Kind of notification. Each kind has its own fixed value.'), () => value];
}
