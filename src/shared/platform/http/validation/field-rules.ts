import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { parseEmail, MAX_EMAIL_LENGTH } from '#shared/kernel/email-address.js';
import { isPrintableLine, parseHttpsUrl } from '#shared/kernel/text.js';

/** Options of every field rule. An optional field may be absent or `null` (see `InputPipe`). */
export interface FieldRuleOptions {
  optional?: boolean;
  /** Name of an alternative field: without it, this field is required. */
  unless?: string;
  description?: string;
  example?: unknown;
}

export type FieldRuleArguments<Options = FieldRuleOptions> =
  | [description: string, options: Options]
  | [options: Options]
  | (object extends Options ? [] | [string] : never);

export function fieldRuleOptionsOf<Options extends FieldRuleOptions>(
  args: FieldRuleArguments<Options>,
): Options {
  const [first, others] = args as [(string | Options)?, Options?];
  return typeof first === 'string'
    ? ({ ...others, description: first } as Options)
    : (first ?? ({} as Options));
}

/** Without look-ahead, which the regular expressions of some client languages do not support. */
const POSITIVE_DECIMAL = /^(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*)$/;
const DECIMAL_FROM_ZERO = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
/** Approximates `isPrintableLine` in a form that all client languages support. */
const PRINTABLE_LINE = '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$';

const decimalFields = new Set<PropertyKey>();

export function isDecimalField(name: string): boolean {
  return decimalFields.has(name);
}

const decimalField: PropertyDecorator = (_, name) => void decimalFields.add(name);

export const IsOmittable = (): PropertyDecorator =>
  ValidateIf((_: object, value: unknown) => value !== undefined && value !== null);

const RequiredUnless = (other: string): PropertyDecorator =>
  ValidateIf((object: Readonly<Record<string, unknown>>) => object[other] === undefined);

/** Above zero, at most 100 characters. The use case checks range and fraction digits (`parseAmount`). */
export function IsDecimalAmount(...args: FieldRuleArguments): PropertyDecorator {
  return decimalRule(
    POSITIVE_DECIMAL,
    'must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    fieldRuleOptionsOf(args),
  );
}

export function IsDecimalFromZero(...args: FieldRuleArguments): PropertyDecorator {
  return decimalRule(
    DECIMAL_FROM_ZERO,
    'must be a decimal string, such as "10.50" or "0" (a point, not a comma).',
    fieldRuleOptionsOf(args),
  );
}

function decimalRule(pattern: RegExp, text: string, options: FieldRuleOptions): PropertyDecorator {
  return applyDecorators(
    decimalField,
    customRule(
      'decimal_amount',
      (value) => decimalPointHint(value, pattern) ?? text,
      (value) => typeof value === 'string' && value.length <= 100 && pattern.test(value),
      { type: String, pattern: pattern.source, maxLength: 100, example: '12.5' },
      options,
    ),
  );
}

/** At most 15 digits are the same number in JSON and in every language. Other numbers are rejected by the field's rule. */
export const AcceptsNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const text = String(value);
    const isShort = /^[0-9.]+$/.test(text) && text.replace(/^0\.0*|\./g, '').length <= 15;
    return typeof value === 'number' && isShort ? text : value;
  });

/** @returns undefined if the comma may separate thousands */
function decimalPointHint(value: unknown, pattern: RegExp): string | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined;
  const pointed = value.replace(',', '.');
  if (pointed === value || !pattern.test(pointed) || /,[0-9]{3}$/.test(value)) return undefined;
  return `must use a point, not a comma: "${pointed}".`;
}

export interface TextOptions extends FieldRuleOptions {
  min?: number;
  max: number;
}

export function IsText(...args: FieldRuleArguments<TextOptions>): PropertyDecorator {
  const { min = 1, max, ...options } = fieldRuleOptionsOf(args);
  return customRule(
    'text',
    `must be one line of ${min} to ${max} characters, without control characters and not only spaces.`,
    (value) => typeof value === 'string' && isPrintableLine(value, min, max),
    { type: String, minLength: min, maxLength: max, pattern: PRINTABLE_LINE },
    options,
  );
}

export interface AnyTextOptions extends FieldRuleOptions {
  format?: string;
  maxLength?: number;
}

/** For fields whose malformed values must get the same error as another tenant's record. */
export function IsAnyText(...args: FieldRuleArguments<AnyTextOptions>): PropertyDecorator {
  const { format, maxLength, ...options } = fieldRuleOptionsOf(args);
  return customRule(
    'text',
    'must be a string.',
    (value) => typeof value === 'string',
    { type: String, ...(format && { format }), ...(maxLength && { maxLength }) },
    options,
  );
}

export function IsHttpsUrl(...args: FieldRuleArguments): PropertyDecorator {
  return customRule(
    'https_url',
    'must be an https:// URL such as "https://shop.example/return": at most 2048 characters, without a ' +
      'user name or password.',
    (value) => typeof value === 'string' && parseHttpsUrl(value) !== undefined,
    {
      type: String,
      format: 'uri',
      pattern: '^https://',
      maxLength: 2048,
      example: 'https://shop.example/return',
    },
    fieldRuleOptionsOf(args),
  );
}

export function IsEmailAddress(...args: FieldRuleArguments): PropertyDecorator {
  return customRule(
    'email',
    'must be an e-mail address, such as "anna@shop.example".',
    (value) => typeof value === 'string' && parseEmail(value) !== undefined,
    { type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'anna@shop.example' },
    fieldRuleOptionsOf(args),
  );
}

export function IsMerchantCategoryCode(): PropertyDecorator {
  return customRule(
    'merchant_category_code',
    'must be four digits, such as "5814".',
    (value) => typeof value === 'string' && /^[0-9]{4}$/.test(value),
    { type: String, pattern: '^[0-9]{4}$' },
    { optional: true, description: 'Merchant category code (ISO 18245): four digits.', example: '5814' },
  );
}

export function IsFlag(...args: FieldRuleArguments): PropertyDecorator {
  return customRule(
    'boolean',
    'must be true or false.',
    (value) => typeof value === 'boolean',
    { type: Boolean },
    fieldRuleOptionsOf(args),
  );
}

export function IsOneOf<T extends string>(
  words: readonly T[],
  ...args: FieldRuleArguments
): PropertyDecorator {
  return applyDecorators(
    IsIn(words, { message: `must be one of: ${words.filter((word) => word !== '').join(', ')}.` }),
    ...openApiPropertyDecorators({ enum: [...words] }, fieldRuleOptionsOf(args)),
  );
}

export function openApiPropertyDecorators(schema: object, options: FieldRuleOptions): PropertyDecorator[] {
  const { optional = false, unless, description, example } = options;
  const property = {
    ...schema,
    required: !optional && unless === undefined,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  const conditions = optional ? [IsOmittable()] : unless === undefined ? [] : [RequiredUnless(unless)];
  return [ApiProperty(property), ...conditions];
}

export function customRule(
  name: string,
  message: string | ((value: unknown) => string),
  validate: (value: unknown) => boolean,
  schema: object,
  options: FieldRuleOptions,
): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name,
      validator: {
        validate,
        defaultMessage: (about) => (typeof message === 'string' ? message : message(about?.value)),
      },
    }),
    ...openApiPropertyDecorators(schema, options),
  );
}
