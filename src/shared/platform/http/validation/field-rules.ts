import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { readEmail, MAX_EMAIL_LENGTH } from '#shared/kernel/email-address.js';
import { isLine, readHttpsUrl } from '#shared/kernel/text.js';

/** Every rule's option: an optional field may be left out; `null` leaves it out too (see `InputPipe`). */
export interface FieldOptions {
  optional?: boolean;
  /** Field in place of which this one is required: with that one, this one is not judged. */
  unless?: string;
  description?: string;
  example?: unknown;
}

/** Without look-ahead, which not every language of clients has. */
const DECIMAL = /^(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*)$/;
const DECIMAL_FROM_ZERO = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
/** A line, as far as the regular expressions of all languages of clients can say: a character, none a control one. */
const LINE = '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';

const decimalFields = new Set<PropertyKey>();

/** True for the name of a field that is a decimal string in every body that has it. */
export function isDecimalField(name: string): boolean {
  return decimalFields.has(name);
}

const decimalField: PropertyDecorator = (_, name) => void decimalFields.add(name);

/** The field may be left out or null; any other value must keep its other rules. */
export const Omittable = (): PropertyDecorator =>
  ValidateIf((_: object, value: unknown) => value !== undefined && value !== null);

const Without = (other: string): PropertyDecorator =>
  ValidateIf((object: Readonly<Record<string, unknown>>) => object[other] === undefined);

/**
 * A decimal string above zero in plain notation, at most 100 characters.
 * Fraction digits and range depend on the asset: `parseAmount` decides those.
 */
export function DecimalAmount(options: FieldOptions = {}): PropertyDecorator {
  return decimalOf(
    DECIMAL,
    'must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    options,
  );
}

/** An amount like `DecimalAmount`, or zero. */
export function DecimalFromZero(options: FieldOptions = {}): PropertyDecorator {
  return decimalOf(
    DECIMAL_FROM_ZERO,
    'must be a decimal string, such as "10.50" or "0" (a point, not a comma).',
    options,
  );
}

function decimalOf(pattern: RegExp, text: string, options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    decimalField,
    rule(
      'decimal_amount',
      (value) => withPoint(value, pattern) ?? text,
      (value) => typeof value === 'string' && value.length <= 100 && pattern.test(value),
      { type: String, pattern: pattern.source, maxLength: 100, example: '12.5' },
      options,
    ),
  );
}

/** @returns the advice for an amount that a point would make valid; a comma before three digits can also group thousands */
function withPoint(value: unknown, pattern: RegExp): string | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const pointed = value.replace(',', '.');
  if (pointed === value || !pattern.test(pointed) || /,[0-9]{3}$/.test(value)) return undefined;
  return `must use a point, not a comma: "${pointed}".`;
}

export interface TextOptions extends FieldOptions {
  /** In Unicode code points; 1 unless set. */
  min?: number;
  max: number;
}

/**
 * One line of text with something visible in it: no control characters, line separators, changes of
 * reading order or lone surrogates.
 */
export function Text({ min = 1, max, ...options }: TextOptions): PropertyDecorator {
  return rule(
    'text',
    `must be one line of ${min} to ${max} characters, without control characters and not only spaces.`,
    (value) => typeof value === 'string' && isLine(value, min, max),
    { type: String, minLength: min, maxLength: max, pattern: LINE },
    options,
  );
}

/** Any text: the use case judges it, where a malformed one must be answered like somebody else's. */
export function AnyText(schema: object, options: FieldOptions): PropertyDecorator {
  return rule(
    'text',
    'must be a string.',
    (value) => typeof value === 'string',
    { type: String, ...schema },
    options,
  );
}

/** An absolute `https://` address without user name or password, at most 2,048 characters. */
export function HttpsUrl(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'https_url',
    'must be an https:// URL such as "https://shop.example/return": at most 2048 characters, without a ' +
      'user name or password.',
    (value) => typeof value === 'string' && readHttpsUrl(value) !== undefined,
    {
      type: String,
      format: 'uri',
      pattern: '^https://',
      maxLength: 2048,
      example: 'https://shop.example/return',
    },
    options,
  );
}

/** An address that a mail can be sent to: one, without a name. */
export function EmailAddress(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'email',
    'must be an e-mail address, such as "anna@shop.example".',
    (value) => typeof value === 'string' && readEmail(value) !== undefined,
    { type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'anna@shop.example' },
    options,
  );
}

export function MerchantCategoryCode(): PropertyDecorator {
  return rule(
    'merchant_category_code',
    'must be four digits, such as "5814".',
    (value) => typeof value === 'string' && /^[0-9]{4}$/.test(value),
    { type: String, pattern: '^[0-9]{4}$' },
    { optional: true, description: 'Merchant category code (ISO 18245): four digits.', example: '5814' },
  );
}

/** True or false. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return rule(
    'boolean',
    'must be true or false.',
    (value) => typeof value === 'boolean',
    { type: Boolean },
    options,
  );
}

/** One of these words. */
export function OneOf<T extends string>(words: readonly T[], options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    // The empty word of a form, which chooses none, is no advice.
    IsIn(words, { message: `must be one of: ${words.filter((word) => word !== '').join(', ')}.` }),
    ...documented({ enum: [...words] }, options),
  );
}

/** Decorators that document a field and let it be left out where it may. */
export function documented(schema: object, options: FieldOptions): PropertyDecorator[] {
  const { optional = false, unless, description, example } = options;
  const property = {
    ...schema,
    required: !optional && unless === undefined,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  const conditions = optional ? [Omittable()] : unless === undefined ? [] : [Without(unless)];
  return [ApiProperty(property), ...conditions];
}

/** A rule of our own with its OpenAPI schema. */
export function rule(
  name: string,
  message: string | ((value: unknown) => string),
  validate: (value: unknown) => boolean,
  schema: object,
  options: FieldOptions,
): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name,
      validator: {
        validate,
        defaultMessage: (about) => (typeof message === 'string' ? message : message(about?.value)),
      },
    }),
    ...documented(schema, options),
  );
}
